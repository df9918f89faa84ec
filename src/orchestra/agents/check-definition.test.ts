import { describe, expect, test } from 'vitest'
import { checkDefinition } from './check-definition.ts'

const agent = {
  id: 'mine',
  label: 'Mine',
  description: 'Does something.',
  category: 'content',
  capabilities: ['something'],
  supported_languages: ['*'],
  input_types: ['text'],
  output_format: 'json',
  configuration: { supports_streaming: false, max_input_length: 1000, timeout: 10, retry_limit: 1 },
  prompt: 'About {{content}}, {{tone}}. {{analysis.length.words}} {{instructions}}',
  output_schema: { type: 'object', properties: { assessment: { type: 'string' } } },
  parameters: { tone: { default: 'kind' } },
  analysers: [{ analyser: 'length' }],
  checks: [{ check: 'max_length', field: 'assessment', most: 10 }],
  conclusion: { decision: '{{assessment}} {{method}} {{analysis.length.words}}' },
}

test('a valid definition has no problems', () => {
  expect(checkDefinition(agent)).toEqual([])
})

describe('an invalid definition is refused with the path', () => {
  test.each([
    ['unknown fields', { prompts: 'x' }, ['prompts is not a known field']],
    [
      'no work at all',
      { prompt: undefined, parameters: {}, configuration: { ...agent.configuration, retry_limit: 0 } },
      ['prompt is required, unless analysis_output defines the output without a model'],
    ],
    [
      'a prompt without content',
      { prompt: 'Hello {{tone}}' },
      ['prompt must contain {{content}}, the input of the agent'],
    ],
    [
      'unknown names',
      { prompt: '{{content}} {{tone}} {{mood}}' },
      ['prompt {{mood}} is unknown here; known names are content, instructions, tone, analysis.…'],
    ],
    [
      'content in the system prompt',
      { system_prompt: 'On {{content}}' },
      ['system_prompt {{content}} is unknown here; known names are instructions, tone, analysis.…'],
    ],
    [
      'findings of no analyser',
      { prompt: '{{content}} {{tone}} {{analysis.seo.score}}' },
      ['prompt {{analysis.seo.score}} is not a result of an analyser of the agent'],
    ],
    [
      'JSON without a schema',
      { output_schema: undefined, checks: [], conclusion: undefined },
      ['output_schema is required for output_format json'],
    ],
    [
      'a schema that is no object',
      { output_schema: { type: 'array' }, checks: [], conclusion: undefined },
      ['output_schema.type must be "object"'],
    ],
    [
      'a schema with a field of ours',
      { output_schema: { type: 'object', properties: { assessment: {}, method: {} } } },
      ['output_schema.properties.method is added by the platform; choose another name'],
    ],
    [
      'a schema for a text',
      { output_format: 'text', checks: [], conclusion: undefined },
      ['output_schema has no effect: the output is a text (text)'],
    ],
    [
      'a stream of JSON',
      { configuration: { ...agent.configuration, supports_streaming: true } },
      ['configuration.supports_streaming has no effect: JSON output is not streamed'],
    ],
    ['content that is nowhere', { content_field: 'text' }, ['content_field is no property of output_schema']],
    [
      'a text for an object',
      { analysis_output: 'x' },
      ['analysis_output must be an object, as output_format is json'],
    ],
    [
      'unused parameters',
      { parameters: { tone: {}, colour: {} } },
      ['parameters.colour has no effect: neither a prompt, an analyser nor a check uses {{colour}}'],
    ],
    [
      'parameters of another meaning',
      { parameters: { tone: {}, content: {} } },
      ['parameters.content "content" is a reserved name'],
    ],
    [
      'a default for what is required',
      { parameters: { tone: { required: true, default: 'x' } } },
      ['parameters.tone.default has no effect: the parameter is required, so every step sets it'],
    ],
    [
      'a default that is no choice',
      { parameters: { tone: { default: 'x', choices: ['a', 'b'] } } },
      ['parameters.tone.default must be one of a, b'],
    ],
    [
      'an analyser twice',
      { analysers: [{ analyser: 'length' }, { analyser: 'length' }] },
      ['analysers[1].analyser "length" is listed twice'],
    ],
    [
      'an analyser with what it does not take',
      { analysers: [{ analyser: 'length', most: 3, parameter: 'tone' }] },
      [
        'analysers[0].most has no effect: length has no limit',
        'analysers[0].parameter has no effect: length takes no parameter',
      ],
    ],
    [
      'an analyser without what it needs',
      { analysers: [{ analyser: 'length' }, { analyser: 'converted' }] },
      ['analysers[1].parameter is required'],
    ],
    [
      'a check with what it does not take',
      { checks: [{ check: 'max_length', most: 3, least: 1 }] },
      ['checks[0].least has no effect: max_length does not use it'],
    ],
    [
      'a check without what it needs',
      { checks: [{ check: 'agrees_with', field: 'assessment', within: 1 }] },
      ['checks[0].finding is required for agrees_with'],
    ],
    [
      'a check of what is not there',
      {
        checks: [
          { check: 'max_length', field: 'text', most: 3 },
          { check: 'language_is', parameter: 'language' },
        ],
      },
      [
        'checks[0].field "text" is no property of output_schema',
        'checks[1].parameter "language" is no parameter of the agent',
      ],
    ],
    [
      'languages beside any',
      { supported_languages: ['*', 'en'] },
      ['supported_languages has no effect: * includes every other language'],
    ],
    [
      'digits that cannot be kept',
      { pricing: { base_cost: 0.0000001, per_token: 0, bulk_discount: 0.00001, enterprise_rate: 1 } },
      [
        'pricing.base_cost must have at most 6 decimals',
        'pricing.bulk_discount must have at most 4 decimals',
      ],
    ],
    [
      'tokens without a bound',
      { pricing: { base_cost: 0, per_token: 0.1, bulk_discount: 0, enterprise_rate: 1 } },
      [
        'ai_options.max_tokens is required with pricing.per_token: the maximum cost of a run is reserved before it starts',
      ],
    ],
  ])('%s', (_what, fields, expected) => {
    expect(checkDefinition(without(fields)).map(({ path, message }) => `${path} ${message}`)).toEqual(
      expected,
    )
  })
})

/** The agent with these fields, and without those that are undefined. */
function without(fields: object): unknown {
  return JSON.parse(JSON.stringify({ ...agent, ...fields }))
}
