import { type AgentStep, type EngineOptions, similarIds, templates } from '#engine'
import type { Problem } from '#kernel/errors'
import { createValueCheck } from '#kernel/http'
import type { Agent } from './agent.ts'
import type { Agents } from './agents.ts'
import { analyserKinds } from './analysers/kinds.ts'
import { checkKinds } from './checks/kinds.ts'
import { AgentDefinition, type CheckOptions } from './definition.ts'
import { checkPricing } from './pricing.ts'

const checkSchema = createValueCheck(AgentDefinition)

const reserved: ReadonlySet<string> = new Set(['content', 'instructions', 'analysis'])

/** The problems of a definition with their paths: first those of single fields, then those of fields that do not fit together. */
export function checkDefinition(given: unknown): readonly Problem[] {
  const problems = checkSchema(given)
  if (problems.length > 0) return problems
  const agent = given as AgentDefinition
  return [
    ...checkPrompt(agent),
    ...checkOutputFormat(agent),
    ...checkParameters(agent),
    ...checkAnalysers(agent),
    ...checkTemplates(agent),
    ...checkChecks(agent),
    ...checkPricing(agent),
  ]
}

/** Whether a model, the analysers or both can produce the output. */
function checkPrompt(agent: AgentDefinition): Problem[] {
  const { prompt, analysis_output: output, configuration, supported_languages: languages } = agent
  const problems: Problem[] = []
  if (prompt === undefined && output === undefined) {
    const message = 'is required, unless analysis_output defines the output without a model'
    problems.push({ path: 'prompt', message, code: 'required' })
  }
  if (prompt === undefined) {
    const why = 'there is no prompt, so no model is called'
    if (agent.system_prompt !== undefined) problems.push(noEffect('system_prompt', why))
    if (agent.ai_options !== undefined) problems.push(noEffect('ai_options', why))
    if (configuration.retry_limit > 0) problems.push(noEffect('configuration.retry_limit', why))
    if (configuration.supports_streaming) problems.push(noEffect('configuration.supports_streaming', why))
  } else if (!templates.placeholdersIn(prompt).includes('content')) {
    const message = 'must contain {{content}}, the input of the agent'
    problems.push({ path: 'prompt', message, code: 'content' })
  }
  if (languages.includes('*') && languages.length > 1)
    problems.push(noEffect('supported_languages', '* includes every other language'))
  return problems
}

/** Whether the output fields fit the output format. */
function checkOutputFormat(agent: AgentDefinition): Problem[] {
  const {
    output_format: format,
    output_schema: schema,
    analysis_output: measured,
    content_field: field,
  } = agent
  if (format !== 'json') {
    return [
      ...(schema === undefined ? [] : [noEffect('output_schema', `the output is a text (${format})`)]),
      ...(field === undefined ? [] : [noEffect('content_field', 'a text output is passed on as a whole')]),
      ...(measured === undefined || typeof measured === 'string'
        ? []
        : [
            {
              path: 'analysis_output',
              message: `must be a text, as output_format is ${format}`,
              code: 'type',
            },
          ]),
    ]
  }
  const problems: Problem[] = []
  if (agent.configuration.supports_streaming && agent.prompt !== undefined)
    problems.push(noEffect('configuration.supports_streaming', 'JSON output is not streamed'))
  if (schema === undefined) {
    return [
      ...problems,
      { path: 'output_schema', message: 'is required for output_format json', code: 'required' },
    ]
  }
  if (schema['type'] !== 'object')
    problems.push({ path: 'output_schema.type', message: 'must be "object"', code: 'choice' })
  const fields = fieldsOf(agent)
  if (fields?.has('method') === true) {
    const message = 'is added by the platform; choose another name'
    problems.push({ path: 'output_schema.properties.method', message, code: 'reserved' })
  }
  if (field !== undefined && fields?.has(field) !== true)
    problems.push({ path: 'content_field', message: 'is no property of output_schema', code: 'reference' })
  if (
    measured !== undefined &&
    (typeof measured !== 'object' || measured === null || Array.isArray(measured))
  )
    problems.push({
      path: 'analysis_output',
      message: 'must be an object, as output_format is json',
      code: 'type',
    })
  return problems
}

function checkParameters(agent: AgentDefinition): Problem[] {
  const used = usedNames(agent)
  return Object.entries(agent.parameters ?? {}).flatMap(
    ([name, { required = false, default: given, choices }]) => {
      const path = `parameters.${name}`
      if (reserved.has(name)) return [{ path, message: `"${name}" is a reserved name`, code: 'reserved' }]
      const problems: Problem[] = []
      if (!used.has(name))
        problems.push(noEffect(path, `neither a prompt, an analyser nor a check uses {{${name}}}`))
      if (required && given !== undefined)
        problems.push(noEffect(`${path}.default`, 'the parameter is required, so every step sets it'))
      if (choices !== undefined && given !== undefined && !choices.includes(String(given)))
        problems.push({
          path: `${path}.default`,
          message: `must be one of ${choices.join(', ')}`,
          code: 'choice',
        })
      return problems
    },
  )
}

function usedNames({
  prompt = '',
  system_prompt = '',
  analysis_output,
  analysers = [],
  checks = [],
}: AgentDefinition) {
  const inTexts = [
    ...templates.placeholdersIn(prompt),
    ...templates.placeholdersIn(system_prompt),
    ...templates.placeholdersIn(analysis_output),
  ]
  const named = [...analysers, ...checks].flatMap(({ parameter }) => parameter ?? [])
  return new Set([...inTexts.map(firstOf), ...named])
}

function firstOf(path: string): string {
  return path.split(/[.[]/)[0] ?? ''
}

function checkAnalysers({ analysers = [], parameters = {} }: AgentDefinition): Problem[] {
  return analysers.flatMap(({ analyser, most, parameter }, index) => {
    const path = `analysers[${index}]`
    const kind: { most?: string; parameter?: string } = analyserKinds[analyser]
    const problems: Problem[] = []
    if (analysers.findIndex((other) => other.analyser === analyser) < index)
      problems.push({
        path: `${path}.analyser`,
        message: `"${analyser}" is listed twice`,
        code: 'duplicate',
      })
    if (most !== undefined && kind.most === undefined)
      problems.push(noEffect(`${path}.most`, `${analyser} has no limit`))
    if (parameter !== undefined && kind.parameter === undefined)
      problems.push(noEffect(`${path}.parameter`, `${analyser} takes no parameter`))
    else if (parameter === undefined && kind.parameter === 'required')
      problems.push({ path: `${path}.parameter`, message: 'is required', code: 'required' })
    else if (parameter !== undefined && !Object.hasOwn(parameters, parameter))
      problems.push({
        path: `${path}.parameter`,
        message: `"${parameter}" is no parameter of the agent`,
        code: 'reference',
      })
    return problems
  })
}

function checkTemplates(agent: AgentDefinition): Problem[] {
  const { prompt, system_prompt, analysis_output, conclusion } = agent
  const names = Object.keys(agent.parameters ?? {})
  const fields = agent.output_format === 'json' ? fieldsOf(agent) : new Set<string>()
  const inPrompt = new Set(['content', 'instructions', ...names])
  const inSystem = new Set(['instructions', ...names])
  const inOutput = new Set(['content', ...names])
  const inConclusion = fields === undefined ? undefined : new Set(['method', ...fields])
  return [
    ...checkNames(templates.placeholdersIn(prompt ?? ''), 'prompt', agent, inPrompt),
    ...checkNames(templates.placeholdersIn(system_prompt ?? ''), 'system_prompt', agent, inSystem),
    ...checkNames(templates.placeholdersIn(analysis_output), 'analysis_output', agent, inOutput),
    ...checkNames(
      templates.placeholdersIn(conclusion?.decision ?? ''),
      'conclusion.decision',
      agent,
      inConclusion,
    ),
    ...checkNames(
      templates.placeholdersIn(conclusion?.reasoning ?? ''),
      'conclusion.reasoning',
      agent,
      inConclusion,
    ),
  ]
}

function checkNames(
  paths: readonly string[],
  position: string,
  { analysers = [] }: AgentDefinition,
  known: ReadonlySet<string> | undefined,
): Problem[] {
  return paths.flatMap((path): Problem[] => {
    const bad = templates.describeBadPlaceholder(path)
    if (bad !== undefined) return [{ path: position, message: bad, code: 'placeholder' }]
    const [first = '', second] = path.split(/[.[]/)
    if (first === 'analysis') {
      if (second === undefined || analysers.some(({ analyser }) => analyser === second)) return []
      return [
        {
          path: position,
          message: `{{${path}}} is not a result of an analyser of the agent`,
          code: 'reference',
        },
      ]
    }
    if (known === undefined || known.has(first)) return []
    const names = [...known, 'analysis.…'].join(', ')
    return [
      { path: position, message: `{{${path}}} is unknown here; known names are ${names}`, code: 'reference' },
    ]
  })
}

const options = ['field', 'fields', 'least', 'most', 'within', 'parameter', 'finding'] as const

/** Whether the options of each check are complete, and refer to existing fields and parameters. */
function checkChecks(agent: AgentDefinition): Problem[] {
  return (agent.checks ?? []).flatMap((check, index) => [
    ...checkOptions(check, `checks[${index}]`),
    ...checkReferences(check, agent, `checks[${index}]`),
  ])
}

function checkOptions(given: CheckOptions, path: string): Problem[] {
  const { needs, takes }: { needs: readonly string[]; takes: readonly string[] } = checkKinds[given.check]
  return options.flatMap((option): Problem[] => {
    const isSet = given[option] !== undefined
    if (isSet && !needs.includes(option) && !takes.includes(option))
      return [noEffect(`${path}.${option}`, `${given.check} does not use it`)]
    if (isSet || !needs.includes(option)) return []
    return [{ path: `${path}.${option}`, message: `is required for ${given.check}`, code: 'required' }]
  })
}

function checkReferences(
  { parameter, finding, field, fields }: CheckOptions,
  agent: AgentDefinition,
  path: string,
) {
  const problems: Problem[] = []
  if (parameter !== undefined && !Object.hasOwn(agent.parameters ?? {}, parameter)) {
    const message = `"${parameter}" is no parameter of the agent`
    problems.push({ path: `${path}.parameter`, message, code: 'reference' })
  }
  if (
    finding !== undefined &&
    !(agent.analysers ?? []).some(({ analyser }) => analyser === finding.split('.')[0])
  ) {
    const message = `"${finding}" is not a result of an analyser of the agent`
    problems.push({ path: `${path}.finding`, message, code: 'reference' })
  }
  const known = fieldsOf(agent)
  const named = [
    ...(field === undefined ? [] : [[`${path}.field`, field] as const]),
    ...(fields ?? []).map((name, index) => [`${path}.fields[${index}]`, name] as const),
  ]
  for (const [position, name] of named) {
    if (agent.output_format !== 'json') problems.push(noEffect(position, 'a text has no fields'))
    else if (known?.has(name.split('.')[0] ?? '') === false)
      problems.push({
        path: position,
        message: `"${name}" is no property of output_schema`,
        code: 'reference',
      })
  }
  return problems
}

/** The property names of the output schema; undefined when it names none. */
function fieldsOf({ output_schema: schema = {} }: AgentDefinition): ReadonlySet<string> | undefined {
  const { properties } = schema as { readonly properties?: unknown }
  return typeof properties === 'object' && properties !== null ? new Set(Object.keys(properties)) : undefined
}

/** The problem of a field that would be ignored. */
function noEffect(path: string, why: string): Problem {
  return { path, message: `has no effect: ${why}`, code: 'no_effect' }
}

type AgentCheck = NonNullable<EngineOptions['checkAgents']>

/** Checks the agents that the steps of a flow name, and the parameters the steps set. */
export function createAgentCheck(agents: Pick<Agents, 'find' | 'list'>): AgentCheck {
  return async ({ steps }) => {
    const problems: Problem[] = []
    for (const [index, step] of steps.entries()) {
      if (step.type !== 'agent') continue
      problems.push(...(await checkStep(agents, step, `steps[${index}]`)))
    }
    return problems
  }
}

async function checkStep(
  agents: Pick<Agents, 'find' | 'list'>,
  step: AgentStep,
  path: string,
): Promise<Problem[]> {
  const { agent: id, agent_version: version } = step
  const current = await agents.find(id)
  if (current === undefined) {
    const [similar] = similarIds(
      id,
      (await agents.list()).map((agent) => agent.id),
    )
    const message = `no agent "${id}"${similar === undefined ? '' : `; is "${similar}" meant?`}`
    return [{ path: `${path}.agent`, message, code: 'unknown_agent' }]
  }
  const agent = version === undefined ? current : await agents.find(id, version)
  if (agent === undefined) {
    const message = `"${id}" has no version ${version}; its versions go up to ${current.currentVersion}`
    return [{ path: `${path}.agent_version`, message, code: 'unknown_agent_version' }]
  }
  return [...checkStepParameters(step, agent, path), ...checkIgnoredFields(step, agent, path)]
}

function checkStepParameters(
  { parameters = {} }: AgentStep,
  { id, definition }: Agent,
  path: string,
): Problem[] {
  const known = definition.parameters ?? {}
  const missing = Object.entries(known).flatMap(([name, { required, description }]): Problem[] =>
    required === true && !Object.hasOwn(parameters, name)
      ? [
          {
            path: `${path}.parameters.${name}`,
            message: `is required by the agent "${id}"${description === undefined ? '' : `: ${description}`}`,
            code: 'required',
          },
        ]
      : [],
  )
  const wrong = Object.entries(parameters).flatMap(([name, value]): Problem[] => {
    const parameterPath = `${path}.parameters.${name}`
    const parameter = Object.hasOwn(known, name) ? known[name] : undefined
    if (parameter === undefined) {
      const names = Object.keys(known).join(', ') || 'none'
      return [
        {
          path: parameterPath,
          message: `is no parameter of the agent "${id}"; it has ${names}`,
          code: 'unknown_field',
        },
      ]
    }
    const { choices } = parameter
    // A value from the context is checked when the step runs.
    if (
      choices === undefined ||
      choices.includes(String(value)) ||
      templates.placeholdersIn(String(value)).length > 0
    )
      return []
    return [{ path: parameterPath, message: `must be one of ${choices.join(', ')}`, code: 'choice' }]
  })
  return [...missing, ...wrong]
}

/** Fields of a step that the agent would ignore. */
function checkIgnoredFields(
  { instructions, ai_options: ai }: AgentStep,
  { id, definition }: Agent,
  path: string,
): Problem[] {
  const { prompt, system_prompt: system = '' } = definition
  if (prompt === undefined) {
    const message = `has no effect: the agent "${id}" calls no model`
    return [
      ...(instructions === undefined ? [] : [{ path: `${path}.instructions`, message, code: 'no_effect' }]),
      ...(ai === undefined ? [] : [{ path: `${path}.ai_options`, message, code: 'no_effect' }]),
    ]
  }
  const usesInstructions = [
    ...templates.placeholdersIn(prompt),
    ...templates.placeholdersIn(system),
  ].includes('instructions')
  if (instructions === undefined || usesInstructions) return []
  const message = `has no effect: the agent "${id}" takes no instructions`
  return [{ path: `${path}.instructions`, message, code: 'no_effect' }]
}
