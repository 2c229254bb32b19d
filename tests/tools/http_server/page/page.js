document.title = "Run";
