// Draws the mermaid diagrams of a page. Without a network, their source is shown.
const diagrams = document.querySelectorAll("code.language-mermaid");
if (diagrams.length > 0) {
  import("https://cdn.jsdelivr.net/npm/mermaid@11/dist/mermaid.esm.min.mjs").then(({ default: mermaid }) => {
    for (const code of diagrams) {
      const diagram = document.createElement("div");
      diagram.textContent = code.textContent;
      code.parentElement.replaceWith(diagram);
      mermaid.run({ nodes: [diagram] });
    }
  });
}
