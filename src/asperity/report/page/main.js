/*! This page holds three.js (MIT, (c) 2010-2024 three.js authors), Observable Plot (ISC, (c) 2020-2024 Observable, Inc.) and d3 (ISC, (c) 2010-2023 Mike Bostock). */
// Starts what there is on a page.
import {charts, startCharts} from "../viewer/chart.js";
import {startBody} from "./body.js";
import {addCopyButton, showRun} from "./commands.js";
import {startMotion} from "./motion.js";
import {byId, data, html, startTables, startTheme} from "./shared.js";

const drawCharts = startCharts(data.body ? data.body.surface : null);
const recolour = (data.bodies || data.runs) && byId("motion") ? startMotion() : data.body ? startBody(data) : () => {};
startTheme(() => { recolour(); drawCharts(); });
startTables();
for (const code of document.querySelectorAll("code.command")) addCopyButton(code);
for (const chart of data.command ? charts : [])
  chart.picked = run => showRun(chart.figure.querySelector(".picked") || html("p", {class: "picked hint"}, chart.figure), "run " + run, data.command + run);
