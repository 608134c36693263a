// Says in one line that a browser is too old, in words that the oldest one can run: no module, nothing newer
// than 2010.
(function () {
  var app = document.getElementById("app");

  function able() {
    try {
      return (
        "noModule" in document.createElement("script") &&
        CSS.supports("container-type", "size") &&
        CSS.supports("color", "color-mix(in srgb, red, blue)") &&
        CSS.supports("selector(:has(a))") &&
        CSS.supports("height", "100dvh") &&
        typeof HTMLDialogElement === "function" &&
        typeof [].findLast === "function" &&
        typeof Intl.ListFormat === "function"
      );
    } catch (error) {
      return false;
    }
  }

  function tell() {
    document.body.setAttribute("data-too-old", "");
    app.innerHTML = "";
    var line = document.createElement("p");
    line.className = "opening";
    line.appendChild(document.createTextNode(app.getAttribute("data-too-old-words")));
    app.appendChild(line);
  }

  if (!able()) tell();
  // What the checks above do not know shows itself as a script that cannot be read.
  window.addEventListener("error", function (event) {
    if (event.error && event.error.name === "SyntaxError") tell();
  });
})();
