import type { Engine } from '#engine'

type BuiltInFlow = NonNullable<Parameters<Engine['flows']['seedBuiltIn']>[0]>[number]

const publishReady: BuiltInFlow = {
  definition: {
    id: 'publish_ready',
    label: 'Publish-ready',
    description:
      'Takes a draft to publication: it is reviewed, edited with the review at hand, its numbers and dates are checked, and a title and description are written for it. Put the draft into `content`. Without a language model the text stays as it is, and everything that can be measured is told.',
    version: '1.0.0',
    category: 'content',
    tags: ['review', 'editing', 'publishing', 'seo'],
    steps: [
      { id: 'review', type: 'agent', label: 'Review the draft', agent: 'content_quality_reviewer' },
      {
        id: 'edit',
        type: 'agent',
        label: 'Edit it',
        agent: 'copy_editor',
        dependencies: ['review'],
        instructions:
          'A reviewer found these weaknesses; mend what an editor can: {{steps.review.weaknesses}}',
      },
      {
        id: 'facts',
        type: 'agent',
        label: 'Check numbers and dates',
        agent: 'fact_and_number_checker',
        dependencies: ['edit'],
        input: '{{steps.edit.edited_text}}',
      },
      {
        id: 'meta',
        type: 'agent',
        label: 'Write title and description',
        agent: 'meta_writer',
        dependencies: ['facts'],
        input: '{{steps.edit.edited_text}}',
      },
    ],
  },
  metadata: {
    use_cases: ['Make a draft ready for publication', 'Edit a text and write its title'],
    complexity_level: 'moderate',
  },
}

const translateAndCheck: BuiltInFlow = {
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

const searchPackage: BuiltInFlow = {
  definition: {
    id: 'search_package',
    label: 'Search package',
    description:
      'What a page needs to be found: an audit and an analysis of its keywords at the same time, then a title and description that go by both. Put the page into `content`.',
    version: '1.0.0',
    category: 'seo',
    tags: ['seo', 'keywords', 'metadata'],
    steps: [
      { id: 'audit', type: 'agent', label: 'Audit the page', agent: 'seo_auditor' },
      { id: 'keywords', type: 'agent', label: 'Find its keywords', agent: 'keyword_analyst' },
      {
        id: 'meta',
        type: 'agent',
        label: 'Write title and description',
        agent: 'meta_writer',
        dependencies: ['audit', 'keywords'],
        parameters: { keyword: '{{steps.keywords.primary_keyword}}' },
        instructions: 'An audit of the page says: {{steps.audit}}',
      },
    ],
  },
  metadata: {
    use_cases: ['Have a page found by search engines', 'Write titles and descriptions of pages'],
    complexity_level: 'moderate',
  },
}

const textInsights: BuiltInFlow = {
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

const contentReview: BuiltInFlow = {
  definition: {
    id: 'content_review',
    label: 'Content review',
    description:
      'Four agents look at a text at once: an editor, and checks of readability, of structure and links, and of compliance. Put the text into `content`.',
    version: '1.0.0',
    category: 'content',
    tags: ['review', 'quality', 'readability', 'compliance'],
    steps: [
      { id: 'review', type: 'agent', label: 'Review it', agent: 'content_quality_reviewer' },
      { id: 'readability', type: 'agent', label: 'How easy is it to read?', agent: 'readability_analyst' },
      { id: 'structure', type: 'agent', label: 'Structure and links', agent: 'structure_and_link_checker' },
      { id: 'compliance', type: 'agent', label: 'May it be published?', agent: 'compliance_checker' },
    ],
  },
  metadata: {
    use_cases: ['Review a text before it is published', 'See the weak places of a text'],
    complexity_level: 'simple',
  },
}

/** What comes with the platform. */
export const builtInWorkflows: readonly BuiltInFlow[] = [
  contentReview,
  publishReady,
  translateAndCheck,
  textInsights,
  searchPackage,
]
