import { z } from "zod";
import type { Redact } from "../safety/redact.ts";
import { RESULT_CHARACTERS } from "./data/cut.ts";
import { showText } from "./data/show-text.ts";
import type { DeploymentPort } from "./ports.ts";
import type { Tool } from "./tool.ts";

export interface DeploymentStatusDependencies {
  readonly deployment: DeploymentPort;
  readonly redact: Redact;
}

const Input = z.object({});

export function deploymentStatus({ deployment, redact }: DeploymentStatusDependencies): Tool<z.infer<typeof Input>> {
  return {
    name: "deployment_status",
    description:
      "Gives the current record of the deployment: its steps with their shares of the traffic, what the judge said of each with the numbers, what the version brings, and how it ended. It changes nothing.",
    inputSchema: Input,
    readOnly: true,
    timeoutMs: 30_000,
    run: async () => {
      const text = await deployment.status();
      return {
        text: await showText({ from: "deployment", text, prose: false, maxCharacters: RESULT_CHARACTERS }, redact),
      };
    },
  };
}
