import { type Static, Type } from 'typebox'
import type { Problem } from '#kernel/errors'
import { fillText } from '../../expressions/templates.ts'
import { common } from '../common-step.ts'
import { dollars, duration, template } from '../values.ts'
import { AgentTool, checkTools, maxTools } from './agent-tools.ts'
import { checkTemplate } from './check-values.ts'
import { checkNotify, notify } from './human.ts'
import { assignees, checkAssignees } from './human-assignees.ts'
import { modelOptions } from './model-options.ts'
import type { StepKind } from './step-kind.ts'
import { inText, inValue } from './used-paths.ts'
import { secretsIn, type UsedSecret } from './used-secrets.ts'
import { checkDuration, timeoutField } from './wait-times.ts'

const approvals = Type.Object(
  {
    assignees: Type.Optional(assignees),
    notify: Type.Optional(notify),
    timeout: timeoutField(
      'How long a call waits for its approval: seconds, or a text such as `2h` or `7d`. Then it is rejected. May contain `{{path}}`. Default: 30 days.',
    ),
  },
  {
    additionalProperties: false,
    description: 'Who approves calls of tools with `approval`. Default: the account of the execution.',
  },
)

const schema = Type.Object(
  {
    ...common,
    type: Type.Literal('tool_agent', {
      description: 'A model that calls tools until it has an answer.',
    }),
    prompt: template('The task of the agent. May contain `{{path}}`.'),
    system_prompt: Type.Optional(
      template('Instructions before the prompt. May contain `{{path}}`. Default: none.'),
    ),
    ai_options: Type.Optional(
      Type.Object(
        modelOptions(
          'A model id of the catalogue, or a route. The model must support tools. Default: the first available model of the default chain.',
        ),
        { additionalProperties: false, description: 'The model and its parameters.' },
      ),
    ),
    tools: Type.Array(AgentTool, {
      minItems: 1,
      maxItems: maxTools,
      description: 'The tools that the model may call. It cannot get others.',
    }),
    max_turns: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 50,
        description: 'The maximum number of turns: calls of the model that may request tools. Default: 10.',
      }),
    ),
    max_tokens_total: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100_000_000,
        description:
          'The maximum number of input and output tokens of all turns together; no turn starts after it is reached. Default: no limit.',
      }),
    ),
    max_cost: Type.Optional(
      dollars('The maximum cost of the step, in dollars. Default: only the budgets around it apply.'),
    ),
    max_time: Type.Optional(
      duration(
        'The maximum time of turns and calls of tools together. Neither approvals nor flows that the agent calls count. Default: 10 minutes.',
      ),
    ),
    on_limit: Type.Optional(
      Type.Enum(['fail', 'answer'], {
        description:
          'What happens when a limit is reached: `fail` fails the step, `answer` calls the model once more, without tools, for an answer from what it has. `max_cost` always fails the step. Default: `fail`.',
      }),
    ),
    output_schema: Type.Optional(
      Type.Unsafe<Readonly<Record<string, unknown>>>({
        type: 'object',
        additionalProperties: true,
        description:
          'A JSON schema of up to 64 KiB. The output is JSON that satisfies it; an answer that does not is sent back to the model once. Default: the output is a text.',
      }),
    ),
    approvals: Type.Optional(approvals),
  },
  {
    additionalProperties: false,
    description: 'An agent with tools: a model calls them, turn by turn, until it has an answer.',
  },
)

export type ToolAgentStep = Static<typeof schema>

export const toolAgent = {
  type: 'tool_agent',
  plural: 'Steps of agents with tools',
  schema,
  traits: {
    pure: false,
    callsModels: true,
    sendsPrompt: false,
    callsServices: false,
    decides: 'never',
    validatesOutput: true,
  },
  phase: 'agent_working',
  check: checkToolAgent,
  pathsUsed: ({ prompt, system_prompt: system, approvals: given }) => [
    ...inText(prompt, 'prompt'),
    ...inText(system, 'system_prompt'),
    ...inValue(filledIn(given), 'approvals'),
  ],
  templates: ({ prompt, system_prompt: system }) => [prompt, system],
  secretsUsed: ({ tools }) =>
    tools.flatMap((tool, index): UsedSecret[] =>
      tool.type === 'http' && tool.connection !== undefined
        ? [{ part: 'connection', name: tool.connection, at: `tools[${index}].connection` }]
        : [],
    ),
  jsonSchemas: ({ output_schema: given, tools }) => [
    ...(given === undefined ? [] : [{ path: 'output_schema', schema: given }]),
    ...tools.flatMap((tool, index) => {
      const path = `tools[${index}]`
      if (tool.type === 'flow' && tool.parameters !== undefined)
        return [{ path: `${path}.parameters`, schema: tool.parameters }]
      if (tool.type !== 'http') return []
      const { parameters: written, openapi: { resolved } = {} } = tool
      return [
        ...(written === undefined ? [] : [{ path: `${path}.parameters`, schema: written }]),
        ...(resolved === undefined
          ? []
          : [{ path: `${path}.openapi.resolved.parameters`, schema: resolved.parameters }]),
      ]
    }),
  ],
  container: {
    stepsOf: () => [],
    variablesOf: () => ['turn'],
    pathsAtEnd: () => [],
    collectsErrors: () => false,
    isSequential: true,
    generatesSteps: true,
  },
  describeInput: ({ prompt, system_prompt: system, tools }, scope) => ({
    prompt: fillText(prompt, scope).value,
    system: system === undefined ? null : fillText(system, scope).value,
    tools: tools.map((tool) => (tool.type === 'mcp' ? `mcp:${tool.server}` : tool.name)),
  }),
} as const satisfies StepKind<ToolAgentStep>

/** The fields of approvals whose placeholders are filled when a call asks for its approval. */
function filledIn({ assignees: asked, notify: how, timeout }: ToolAgentStep['approvals'] = {}) {
  return { assignees: asked, notify: { subject: how?.subject }, timeout }
}

/** A secret in a prompt would reach the model, and with it every tool; in an approval, the people who see it. */
function findSecrets(
  { prompt, system_prompt: system, approvals: given }: ToolAgentStep,
  place: string,
): Problem[] {
  const visible = { prompt, system_prompt: system, approvals: filledIn(given) }
  return secretsIn(visible, place).map(({ at }) => ({
    path: at,
    message: at.startsWith(`${place}.approvals`)
      ? 'must not have secrets: the people who are asked would see them'
      : 'must not have secrets: the model would see them. Name a connection in the tool instead',
    code: 'secret',
  }))
}

function checkToolAgent(step: ToolAgentStep, place: string): Problem[] {
  const { approvals: given } = step
  const problems = [
    ...checkTemplate(step.prompt, `${place}.prompt`),
    ...checkTemplate(step.system_prompt, `${place}.system_prompt`),
    ...findSecrets(step, place),
    ...checkTools(step.tools, `${place}.tools`),
    ...checkAssignees(given?.assignees, `${place}.approvals.assignees`),
    ...checkNotify(given?.notify, `${place}.approvals.notify`),
    ...checkDuration(given?.timeout, `${place}.approvals.timeout`),
  ]
  if (given !== undefined && step.tools.every(({ approval = 'never' }) => approval === 'never')) {
    const message = 'has no effect: no tool has approval'
    problems.push({ path: `${place}.approvals`, message, code: 'no_effect' })
  }
  return problems
}
