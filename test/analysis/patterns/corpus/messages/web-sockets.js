const { WebSocketServer } = require("ws");
const { Server } = require("socket.io");
const http = require("http");

const server = http.createServer();

// wrong: CWE-1385 upgrade without a look at the origin
server.on("upgrade", (request, socket, head) => {
  wss.handleUpgrade(request, socket, head, (ws) => wss.emit("connection", ws, request));
});

const wss = new WebSocketServer({ noServer: true, maxPayload: 64 * 1024 });

const checked = new WebSocketServer({
  server,
  // right: CWE-1385 origin is compared
  verifyClient: ({ origin }) => origin === "https://app.example.com",
});

const open = new WebSocketServer({
  server,
  // wrong: CWE-1385 everybody is verified
  verifyClient: () => true,
});

const io = new Server(server, {
  // wrong: CWE-942 any origin with credentials
  cors: { origin: true, credentials: true },
});

const ioOwn = new Server(server, {
  // right: CWE-942 one origin
  cors: { origin: "https://app.example.com", credentials: true },
});

io.on("connection", (socket) => {
  socket.on("join", (room) => {
    // right: CWE-79 text is sent as data
    socket.to(String(room)).emit("joined", { id: socket.id });
  });
  socket.on("calculate", (expression) => {
    // wrong: CWE-94 code of a socket
    socket.emit("result", eval(expression));
  });
});

checked.on("connection", (ws) => {
  ws.on("message", (data) => {
    const message = JSON.parse(data.toString());
    // right: CWE-94 looked up in an object of functions
    if (message.kind === "ping") ws.send("pong");
  });
});

open.on("connection", (ws) => {
  ws.on("message", (data) => {
    // wrong: CWE-78 shell command of a socket
    require("child_process").exec("say " + data, (err, out) => ws.send(out));
  });
});

module.exports = { server, ioOwn };
