/** The variable that tells the hook below what the pusher may not do. */
export const WORKFLOWS_REFUSED = "SIMULATOR_REFUSES_WORKFLOWS";

/** An App without the permission `workflows` cannot push changes of workflow files:
 * https://docs.github.com/en/rest/authentication/permissions-required-for-github-apps#repository-permissions-for-workflows */
export const PRE_RECEIVE = `#!/bin/sh
[ -n "$${WORKFLOWS_REFUSED}" ] || exit 0
zero=0000000000000000000000000000000000000000
while read -r old new ref; do
  [ "$new" = $zero ] && continue
  [ "$old" = $zero ] && old=$(git rev-parse -q --verify HEAD || git hash-object -t tree /dev/null)
  file=$(git diff --name-only "$old" "$new" -- .github/workflows | head -n 1)
  [ -z "$file" ] && continue
  echo "refusing to allow a GitHub App to create or update workflow \\\`$file\\\` without \\\`workflows\\\` permission"
  exit 1
done
`;
