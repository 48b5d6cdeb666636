/** The variables that tell the hook below what the pusher may not do. */
export const WORKFLOWS_REFUSED = "SIMULATOR_REFUSES_WORKFLOWS";
/** Lines of ref, commits that it takes ("all", or SHAs with commas) and the words for others, with colons between. */
export const PROTECTED_BRANCHES = "SIMULATOR_PROTECTED_BRANCHES";

/** An App without the permission `workflows` cannot push commits that change workflow files:
 * https://docs.github.com/en/rest/authentication/permissions-required-for-github-apps#repository-permissions-for-workflows
 * A protected branch is refused in the words of https://github.com/ietf-tools/xml2rfc/issues/1251; GitHub gives "protected branch
 * hook declined" as git's own reason, which only a patched git can. */
export const PRE_RECEIVE = `#!/bin/sh
zero=0000000000000000000000000000000000000000

refuse_protected() {
  printf 'error: GH006: Protected branch update failed for %s.\\n\\n- %s\\n' "$1" "$2" >&2
  exit 1
}

check_protected() {
  printf '%s\\n' "$${PROTECTED_BRANCHES}" | while IFS=: read -r name taken words; do
    [ "$name" = "$ref" ] || continue
    [ "$new" = $zero ] && refuse_protected "$ref" "Cannot delete this branch"
    [ "$old" = $zero ] || git merge-base --is-ancestor "$old" "$new" || refuse_protected "$ref" "Cannot force-push to this branch"
    case ",$taken," in *,all,* | *,"$new",*) continue ;; esac
    refuse_protected "$ref" "$words"
  done
}

check_workflows() {
  [ -n "$${WORKFLOWS_REFUSED}" ] && [ "$new" != $zero ] || return 0
  file=$(git log --format= --name-only "$new" --not --all -- .github/workflows | head -n 1)
  [ -z "$file" ] && return 0
  echo "refusing to allow a GitHub App to create or update workflow \\\`$file\\\` without \\\`workflows\\\` permission"
  return 1
}

while read -r old new ref; do
  check_protected || exit 1
  check_workflows || exit 1
done
`;
