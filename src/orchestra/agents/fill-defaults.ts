import type { inputTypes } from './definition.ts'

type Given = Readonly<Record<string, unknown>>

const usualInputs: readonly (typeof inputTypes)[number][] = ['text', 'markdown', 'html']

/** An agent with what goes without saying. What is no agent at all stays as it is, for the checks to tell. */
export function fillDefaults(given: unknown): unknown {
  if (!isObject(given)) return given
  const { category, output_schema: schema, prompt, configuration = {} } = given
  return {
    capabilities: [category],
    supported_languages: ['*'],
    input_types: usualInputs,
    output_format: schema === undefined ? 'text' : 'json',
    ...given,
    configuration: isObject(configuration)
      ? {
          supports_streaming: false,
          max_input_length: 100_000,
          timeout: 120,
          // Without a prompt no model is asked, so none is asked again.
          retry_limit: prompt === undefined ? 0 : 2,
          ...configuration,
        }
      : configuration,
  }
}

function isObject(value: unknown): value is Given {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
