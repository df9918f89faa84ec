import type { AgentDefinition } from '../definition.ts'
import { exactly, free, material, texts, theText, usual } from './shared.ts'

export const sentimentAndTopicsAnalyst: AgentDefinition = {
  id: 'sentiment_and_topics_analyst',
  label: 'Sentiment and topics analyst',
  description:
    'Finds the sentiment and the topics of a text. Topics are ranked by the words of the text; the sentiment is measured in English, and assessed by a language model in any language.',
  category: 'analysis',
  capabilities: ['sentiment', 'topics', 'classification'],
  supported_languages: ['*'],
  input_types: ['text', 'markdown', 'html'],
  output_format: 'json',
  configuration: usual,
  pricing: free,
  system_prompt: [
    'You assess the tone of texts and name their topics. Tone is that of the writer, not of what happened.',
    'score goes from -1 (very negative) to 1 (very positive). Show the passages that decide, word for word. Topics are in the language of the text.',
    material,
  ].join('\n'),
  prompt: [
    'What is the tone of the following text, and what is it about?',
    'Measured tone (English only): {{analysis.sentiment.label}} {{analysis.sentiment.score}}. Phrases by rank: {{analysis.key_phrases.phrases}}',
    theText,
  ].join('\n\n'),
  ai_options: { temperature: 0, max_tokens: 800 },
  output_schema: exactly({
    sentiment: { type: 'string', enum: ['positive', 'negative', 'neutral', 'mixed', 'not judged'] },
    score: { type: ['number', 'null'], minimum: -1, maximum: 1 },
    topics: texts,
    telling_passages: texts,
  }),
  analysers: [{ analyser: 'sentiment' }, { analyser: 'key_phrases', most: 8 }, { analyser: 'language' }],
  analysis_output: {
    sentiment: '{{analysis.sentiment.label}}',
    score: '{{analysis.sentiment.score}}',
    topics: '{{analysis.key_phrases.phrases}}',
    telling_passages: '{{analysis.sentiment.most_negative}}',
  },
  checks: [
    { check: 'quotes_input', field: 'telling_passages', on_failure: 'warn' },
    { check: 'agrees_with', field: 'score', finding: 'sentiment.score', within: 1, on_failure: 'warn' },
  ],
  conclusion: { decision: '{{sentiment}}', reasoning: 'About {{topics}}.' },
}
