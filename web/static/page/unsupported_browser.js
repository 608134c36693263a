// Shows one line in browsers that are too old for the page. ES5 only: no module, no syntax newer than 2010.
(function () {
  var app = document.getElementById("app");

  function isSupported() {
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

  function showRefusal() {
    document.body.setAttribute("data-too-old", "");
    app.innerHTML = "";
    var line = document.createElement("p");
    line.className = "opening";
    line.appendChild(document.createTextNode(app.getAttribute("data-too-old-words")));
    app.appendChild(line);
  }

  if (!isSupported()) showRefusal();
  // Missing syntax that the checks above do not cover raises a SyntaxError when a later script is parsed.
  window.addEventListener("error", function (event) {
    if (event.error && event.error.name === "SyntaxError") showRefusal();
  });
})();
