/** The beginning of an example: a page of Flask, whose lines follow, indented by four blanks. */
export const FLASK = 'from flask import Flask, request\napp = Flask(__name__)\n\n@app.route("/")\ndef page():\n';
