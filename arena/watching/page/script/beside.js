// The program of the page is a file that the pages beside it share. Without that, the page says what it can.

const program = document.createElement("script");
program.src = document.documentElement.dataset.program;
program.onerror = () => document.body.append(document.getElementById("alone").content);
document.head.append(program);
