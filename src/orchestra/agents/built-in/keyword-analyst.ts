import type { AgentDefinition } from '../definition.ts'
import { exactly, free, material, texts, theText, usual } from './shared.ts'

export const keywordAnalyst: AgentDefinition = {
  id: 'keyword_analyst',
  label: 'Keyword analyst',
  description:
    'Finds the keywords of a page: the main keyword, further keywords with their frequency, and the search intent. Frequencies are counted, never guessed.',
  category: 'seo',
  capabilities: ['keyword analysis', 'topics', 'search intent'],
  supported_languages: ['*'],
  input_types: ['text', 'markdown', 'html'],
  output_format: 'json',
  configuration: usual,
  pricing: free,
  system_prompt: [
    'You analyse which searches a page answers. Keywords are in the language of the text, as people would type them.',
    'Every keyword you name must be about what the page says. You know no search volumes, so you name none.',
    material,
  ].join('\n'),
  prompt: [
    'Which keywords does this page answer, and what do people want who search for them?',
    'Counted in the text: {{analysis.key_phrases.ranked}}',
    'Name topics that readers would expect and that are missing.',
    theText,
  ].join('\n\n'),
  ai_options: { temperature: 0.1, max_tokens: 800 },
  output_schema: exactly({
    primary_keyword: { type: 'string' },
    keywords: texts,
    search_intent: {
      type: 'string',
      enum: ['informational', 'navigational', 'commercial', 'transactional', 'not judged'],
    },
    missing_topics: texts,
  }),
  analysers: [{ analyser: 'key_phrases', most: 15 }, { analyser: 'language' }],
  analysis_output: {
    primary_keyword: '{{analysis.key_phrases.phrases[0]}}',
    keywords: '{{analysis.key_phrases.phrases}}',
    search_intent: 'not judged',
    missing_topics: [],
  },
  checks: [
    { check: 'quotes_input', field: 'primary_keyword', on_failure: 'warn' },
    { check: 'required_fields', fields: ['keywords'], on_failure: 'warn' },
  ],
  conclusion: { decision: '{{primary_keyword}}', reasoning: 'Intent: {{search_intent}}.' },
}
