import type { BuiltInFlow } from '#engine'

export const textInsights: BuiltInFlow = {
  definition: {
    id: 'text_insights',
    label: 'Text insights',
    description:
      'What a text is about and how it sounds: a summary, its mood and topics, its keywords, and how easy it is to read, all at once. Put the text into `content`.',
    version: '1.0.0',
    category: 'analysis',
    tags: ['analysis', 'summary', 'sentiment', 'topics'],
    steps: [
      { id: 'summary', type: 'agent', label: 'Summarise it', agent: 'summary_writer' },
      { id: 'mood', type: 'agent', label: 'Mood and topics', agent: 'sentiment_and_topics_analyst' },
      { id: 'keywords', type: 'agent', label: 'Keywords', agent: 'keyword_analyst' },
      { id: 'readability', type: 'agent', label: 'How easy is it to read?', agent: 'readability_analyst' },
    ],
  },
  metadata: {
    use_cases: ['Understand a text at a glance', 'Sort incoming texts by topic and mood'],
    complexity_level: 'simple',
  },
}
