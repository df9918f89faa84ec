import type { BuiltInFlow } from '#engine'

export const translateAndCheck: BuiltInFlow = {
  definition: {
    id: 'translate_and_check',
    label: 'Translate and check',
    description:
      'Translates a text into the language of `metadata.target_language`, holds the translation against the original, and judges how easy it is to read. Put the text into `content`. Translating needs a language model; without one the execution fails and says so.',
    version: '1.0.0',
    category: 'transformation',
    tags: ['translation', 'language', 'validation'],
    steps: [
      {
        id: 'translate',
        type: 'agent',
        label: 'Translate it',
        agent: 'translator',
        parameters: { target_language: '{{metadata.target_language}}' },
      },
      {
        id: 'compare',
        type: 'agent',
        label: 'Hold it against the original',
        agent: 'fact_and_number_checker',
        dependencies: ['translate'],
        input: '{{steps.translate}}',
        parameters: { reference: '{{content}}' },
      },
      {
        id: 'readability',
        type: 'agent',
        label: 'How easy is it to read?',
        agent: 'readability_analyst',
        dependencies: ['compare'],
        input: '{{steps.translate}}',
      },
    ],
  },
  metadata: {
    use_cases: ['Translate a text and be sure of its numbers', 'Localise content'],
    complexity_level: 'moderate',
  },
}
