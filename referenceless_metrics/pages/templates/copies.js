// Puts "Copy as LaTeX" and "Copy as CSV" under each table of the page.
(() => {
  const special = {
    "\\": "\\textbackslash{}", "{": "\\{", "}": "\\}", "&": "\\&", "%": "\\%", "$": "\\$", "#": "\\#", "_": "\\_",
    "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "<": "$<$", ">": "$>$", "|": "\\textbar{}", "–": "--", "−": "$-$",
  };
  const latexText = text => [...text].map(character => special[character] ?? character).join("");
  const csvText = text => {
    const safe = /^[=+@\t\r\n＝＋－＠]|^-(?![\d.])/.test(text) ? "'" + text : text;
    return /[",\n]/.test(safe) ? '"' + safe.replaceAll('"', '""') + '"' : safe;
  };
  const textOf = cell => cell.innerText.replace(/\s+/g, " ").trim();
  const cellsOf = table => [...table.rows].map(row => [...row.cells].map(textOf));
  const asCsv = rows => rows.map(row => row.map(cell => csvText(cell.replaceAll("−", "-"))).join(",") + "\n").join("");
  const asLatex = rows => {
    const lines = rows.map(row => row.map(latexText).join(" & ") + " \\\\");
    const shape = "l".repeat(Math.max(...rows.map(row => row.length)));
    return ["% \\usepackage{booktabs}", `\\begin{tabular}{${shape}}`, "\\toprule", lines[0], "\\midrule",
      ...lines.slice(1), "\\bottomrule", "\\end{tabular}", ""].join("\n");
  };
  const copy = async text => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
  };
  const button = (name, of) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = `Copy as ${name}`;
    made.addEventListener("click", async () => {
      await copy(of());
      made.closest(".copies").querySelector("[role=status]").textContent = `Copied as ${name}.`;
    });
    return made;
  };
  const ready = () => {
    for (const table of document.querySelectorAll("main table:not(#plain table)")) {
      const bar = document.createElement("p");
      bar.className = "copies saves";
      const told = document.createElement("span");
      told.setAttribute("role", "status");
      bar.append(button("LaTeX", () => table.dataset.latex ?? asLatex(cellsOf(table))), " ",
        button("CSV", () => table.dataset.csv ?? asCsv(cellsOf(table))), " ", told);
      (table.closest(".scrolls") ?? table).after(bar);
    }
  };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", ready);
  else ready();
})();
