import type { Need, Surroundings } from "../workspace/sandbox/surroundings.ts";

type Place = Surroundings["place"];

/** What a sandbox lacks here, each in a sentence, with what gives it. Empty where nothing of the surroundings stands in its way. */
export interface Lack {
  readonly what: string;
  readonly advice: string;
}

const MACHINE: Readonly<Record<Place, string>> = {
  machine: "This machine",
  docker: "The machine below",
  podman: "The machine below",
  kubernetes: "The node",
};

const PROFILE: Readonly<Record<Place, string>> = {
  docker: "--security-opt seccomp=seccomp.json (deploy/seccomp.json of Forge)",
  podman: "--security-opt seccomp=seccomp.json (deploy/seccomp.json of Forge)",
  kubernetes:
    "securityContext.seccompProfile of type Localhost with deploy/seccomp.json on the node (deploy/kubernetes/worker.yaml)",
  machine: "no RestrictNamespaces= and no SystemCallFilter= in the service that starts Forge",
};
const UNCONFINED: Readonly<Record<Place, string>> = {
  docker: "--security-opt apparmor=unconfined",
  podman: "--security-opt apparmor=unconfined",
  kubernetes: "securityContext.appArmorProfile of type Unconfined",
  machine: "a profile that permits userns and mount",
};
const UNMASKED: Readonly<Record<Place, string>> = {
  docker: "--security-opt systempaths=unconfined",
  podman: "--security-opt unmask=ALL",
  kubernetes: "securityContext.procMount: Unmasked with hostUsers: false in the pod (Kubernetes 1.33 or newer)",
  machine:
    "nothing mounted below /proc, and no ProtectKernelTunables= or ProtectProc= in the service that starts Forge",
};
const SWITCHED_ON =
  "as root: sysctl -w user.max_user_namespaces=28000 (and kernel.unprivileged_userns_clone=1 where it exists)";
const UNTIED =
  "an AppArmor profile for bwrap that permits userns, or as root sysctl -w kernel.apparmor_restrict_unprivileged_userns=0";

/** The one that was tried in vain first, then what can be seen to be next: so that people need not try again for each. */
export function lacksOf(here: Surroundings): Lack[] {
  const { refused, place, profile } = here;
  if (refused === undefined) return [];
  const lacks = [lackOf(refused, here)];
  const isConfined = profile !== undefined && place !== "machine";
  if (isConfined && (refused === "namespaces" || refused === "identity")) lacks.push(lackOf("mounts", here));
  if (here.isProcMasked && refused !== "proc") lacks.push(lackOf("proc", here));
  return lacks;
}

function lackOf(need: Need, here: Surroundings): Lack {
  const { place, profile } = here;
  const machine = MACHINE[place];
  switch (need) {
    case "namespaces":
      if (here.areNamespacesOff)
        return { what: `${machine} has switched user namespaces off.`, advice: `${SWITCHED_ON}` };
      if (here.isFiltered)
        return { what: "A filter of system calls (seccomp) forbids user namespaces.", advice: PROFILE[place] };
      return { what: "User namespaces are forbidden here.", advice: `${UNTIED}, or ${SWITCHED_ON}` };
    case "identity":
      if (here.areNamespacesTied)
        return { what: `${machine} lets user namespaces do nothing (AppArmor).`, advice: UNTIED };
      return { what: "A user namespace may not say who is who in it.", advice: `${UNTIED}` };
    case "mounts":
      if (profile !== undefined)
        return { what: `The AppArmor profile ${profile} forbids mounts.`, advice: UNCONFINED[place] };
      return { what: "Mounts are forbidden in user namespaces.", advice: here.isFiltered ? PROFILE[place] : UNTIED };
    case "proc":
      return { what: "Parts of /proc are covered, so no new one can be mounted (procMount).", advice: UNMASKED[place] };
  }
}
