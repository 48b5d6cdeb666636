import type { Cleaner, Source } from "../../row.ts";
import { INPUT } from "../read-python.ts";

/** Where foreign input comes from in Flask, Django and FastAPI. Arguments of the command line are none: their author may open any file anyway. */
export const SOURCES: readonly Source[] = [
  {
    id: "request",
    what: "the request",
    remote: true,
    values: `flask:request.args|form|values|json|data|files|headers|url|full_path|query_string|view_args|get_json|get_data|path|referrer|user_agent
      @request.GET|POST|META|FILES|body|headers|query_params|path_params|data|json|form|stream|url|path|get_full_path|build_absolute_uri
      @request.args|files|values|params|matchdict|json_body|match_info|query|query_string|rel_url|post|text|read|get_json|raw_args
      *.request.GET|request.POST|request.FILES|request.query_params|request.data|request.params|request.matchdict|request.json_body
      *.get_argument|get_arguments|get_query_argument|get_body_argument
      bottle:request.query|request.forms|request.params|request.json|request.headers|request.files|request.url|request.GET|request.POST
      quart:request.args|request.form|request.values|request.json|request.data|request.files|request.headers|request.get_json
      @event.queryStringParameters|body|pathParameters|headers|multiValueQueryStringParameters|queryParameters`,
  },
  {
    id: "request-cookies",
    what: "the request",
    remote: true,
    // Nobody sets a cookie of another site.
    clean: ["redirect"],
    values: "flask|quart|bottle:request.cookies @request.COOKIES|cookies *.request.COOKIES *.get_cookie",
  },
  {
    id: "archive",
    what: "an archive",
    remote: true,
    values:
      "zipfile:ZipFile().infolist|ZipFile().namelist tarfile:open().getmembers|open().getnames|TarFile().getmembers|TarFile().getnames",
  },
  { id: "route", what: "the request", remote: true, values: INPUT },
];

/** What makes it harmless, and for what. */
export const CLEANERS: readonly Cleaner[] = [
  { calls: "int float bool len hash uuid:UUID decimal:Decimal ipaddress:ip_address", clean: "all" },
  { calls: "shlex:quote pipes:quote", clean: ["shell"] },
  { calls: "str", clean: ["nosql"] },
  { calls: "repr ascii json:dumps", clean: ["log"] },
  { calls: "re:escape regex:escape", clean: ["regex"] },
  {
    calls:
      "ldap.filter:escape_filter_chars|filter_format ldap.dn:escape_dn_chars ldap:filter.escape_filter_chars|dn.escape_dn_chars ldap3.utils.conv:escape_filter_chars ldap3.utils.dn:escape_rdn",
    clean: ["query"],
  },
  {
    calls:
      "html:escape markupsafe:escape flask:escape bleach:clean nh3:clean django.utils.html:escape|format_html|conditional_escape",
    clean: ["html"],
  },
  { calls: "werkzeug.utils:secure_filename os:path.basename os.path:basename path:basename", clean: ["path"] },
  {
    calls: "urllib.parse:quote|quote_plus|urlencode urllib:parse.quote|parse.quote_plus|parse.urlencode",
    clean: ["url", "path", "redirect", "html"],
  },
  { calls: "flask:url_for django.urls:reverse django.shortcuts:resolve_url", clean: ["redirect", "url"] },
];
