
"use strict";
// Shows the kernels of the ticked verdicts and their findings of the ticked rules.
(function () {
  const form = document.querySelector("form.filter");
  const all = (selector, within) => Array.from((within || document).querySelectorAll(selector));
  function ticked(name) {
    return new Set(all("input[name=" + name + "]:checked", form).map((box) => box.value));
  }
  function update() {
    const verdicts = ticked("verdict"), rules = ticked("rule");
    const everyRule = rules.size === all("input[name=rule]", form).length;
    let shown = 0;
    for (const finding of all(".finding")) {
      finding.hidden = !rules.has(finding.dataset.rule);
      const fold = finding.closest("details.accepted");
      if (fold) fold.hidden = finding.hidden;
    }
    for (const kernel of all("article.kernel")) {
      const findings = all(".finding", kernel);
      const some = findings.some((finding) => !finding.hidden);
      kernel.hidden = !verdicts.has(kernel.dataset.verdict) || !(some || everyRule);
      if (!kernel.hidden) shown += findings.filter((finding) => !finding.hidden).length;
    }
    for (const row of all(".overview tbody tr")) row.hidden = !verdicts.has(row.dataset.verdict);
    const total = all("article.kernel .finding").length;
    document.getElementById("shown").textContent =
      total === 0 ? "" : shown + " of " + total + " findings shown";
  }
  form.addEventListener("change", update);
  form.addEventListener("submit", (event) => event.preventDefault());
  // Folded parts are printed unfolded.
  addEventListener("beforeprint", () => all("details").forEach((fold) => { fold.open = true; }));
  update();
})();
