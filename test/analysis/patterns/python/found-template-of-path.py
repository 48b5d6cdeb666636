from flask import Flask, render_template_string, request

app = Flask(__name__)
PAGE = "<h1>Hello %s</h1>"

@app.errorhandler(404)
def not_found(error):
    return render_template_string(PAGE % request.path), 404  # found: python/template error
