import { templates } from '#engine'
import type { Problem } from '#kernel/errors'
import { createValueCheck } from '#kernel/http'
import { analyserKinds } from './analysers/kinds.ts'
import { checkChecks, fieldsOf, noEffect } from './checks/check-options.ts'
import { AgentDefinition } from './definition.ts'
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
    const bad =
      path.startsWith('=') || path.includes('??')
        ? `{{${path}}} is not a path; expressions and defaults are for the steps of flows`
        : templates.describeBadPlaceholder(path)
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
