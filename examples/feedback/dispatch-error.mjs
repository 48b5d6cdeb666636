// Reports an error of production without a door: by a repository_dispatch, which GitHub passes on to Forge: node dispatch-error.mjs
//   GITHUB_API_URL      https://api.github.com, or https://<host>/api/v3 of a GitHub Enterprise Server; a workflow has it
//   GITHUB_REPOSITORY   owner/name; a workflow has it
//   GITHUB_TOKEN        of a user with push permission
//   RELEASE             the commit that runs
const { GITHUB_API_URL: api = "https://api.github.com", GITHUB_REPOSITORY, GITHUB_TOKEN, RELEASE } = process.env;

const error = new RangeError("this voucher has no amount");
const response = await fetch(`${api}/repos/${GITHUB_REPOSITORY}/dispatches`, {
  method: "POST",
  headers: { accept: "application/vnd.github+json", authorization: `Bearer ${GITHUB_TOKEN}` },
  body: JSON.stringify({
    event_type: "forge.error",
    client_payload: {
      environment: "production",
      type: error.name,
      message: error.message,
      stack: error.stack,
      sha: RELEASE,
    },
  }),
});
if (response.status !== 204) throw new Error(`GitHub answered ${response.status}: ${await response.text()}`);
