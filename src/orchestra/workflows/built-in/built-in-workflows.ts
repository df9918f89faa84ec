import type { Engine } from '#engine'

type BuiltInFlow = NonNullable<Parameters<Engine['flows']['seedBuiltIn']>[0]>[number]

const publishReady: BuiltInFlow = {
  definition: {
    id: 'publish_ready',
    label: 'Publish-ready',
    description:
      'Prepares a draft for publication: reviews it, edits it with the review, checks numbers and dates, and writes a title and a description. Put the draft into `content`. Without a language model the text is unchanged, and only measurements are returned.',
    version: '1.0.0',
    category: 'content',
    tags: ['review', 'editing', 'publishing', 'seo'],
    global_configuration: { allow_builtin_fallback: true },
    steps: [
      { id: 'review', type: 'agent', label: 'Review the draft', agent: 'content_quality_reviewer' },
      {
        id: 'edit',
        type: 'agent',
        label: 'Edit',
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
    use_cases: ['Prepare a draft for publication', 'Edit a text and write its title'],
    complexity_level: 'moderate',
  },
}

const translateAndCheck: BuiltInFlow = {
  definition: {
    id: 'translate_and_check',
    label: 'Translate and check',
    description:
      'Translates a text into the language of `metadata.target_language`, compares the translation with the original, and measures its readability. Put the text into `content`. It needs a language model.',
    version: '1.0.0',
    category: 'transformation',
    tags: ['translation', 'language', 'validation'],
    global_configuration: { allow_builtin_fallback: true },
    steps: [
      {
        id: 'translate',
        type: 'agent',
        label: 'Translate',
        agent: 'translator',
        parameters: { target_language: '{{metadata.target_language}}' },
      },
      {
        id: 'compare',
        type: 'agent',
        label: 'Compare with the original',
        agent: 'fact_and_number_checker',
        dependencies: ['translate'],
        input: '{{steps.translate}}',
        parameters: { reference: '{{content}}' },
      },
      {
        id: 'readability',
        type: 'agent',
        label: 'Measure readability',
        agent: 'readability_analyst',
        dependencies: ['compare'],
        input: '{{steps.translate}}',
      },
    ],
  },
  metadata: {
    use_cases: ['Translate a text and check its numbers', 'Localise content'],
    complexity_level: 'moderate',
  },
}

const searchPackage: BuiltInFlow = {
  definition: {
    id: 'search_package',
    label: 'Search package',
    description:
      'Audits a page and analyses its keywords in parallel, then writes a title and a description from both. Put the page into `content`.',
    version: '1.0.0',
    category: 'seo',
    tags: ['seo', 'keywords', 'metadata'],
    global_configuration: { allow_builtin_fallback: true },
    steps: [
      { id: 'audit', type: 'agent', label: 'Audit the page', agent: 'seo_auditor' },
      { id: 'keywords', type: 'agent', label: 'Find keywords', agent: 'keyword_analyst' },
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
    use_cases: ['Optimise a page for search engines', 'Write titles and descriptions of pages'],
    complexity_level: 'moderate',
  },
}

const textInsights: BuiltInFlow = {
  definition: {
    id: 'text_insights',
    label: 'Text insights',
    description:
      'Analyses a text in parallel: summary, sentiment and topics, keywords and readability. Put the text into `content`.',
    version: '1.0.0',
    category: 'analysis',
    tags: ['analysis', 'summary', 'sentiment', 'topics'],
    global_configuration: { allow_builtin_fallback: true },
    steps: [
      { id: 'summary', type: 'agent', label: 'Summarise', agent: 'summary_writer' },
      { id: 'mood', type: 'agent', label: 'Sentiment and topics', agent: 'sentiment_and_topics_analyst' },
      { id: 'keywords', type: 'agent', label: 'Keywords', agent: 'keyword_analyst' },
      { id: 'readability', type: 'agent', label: 'Measure readability', agent: 'readability_analyst' },
    ],
  },
  metadata: {
    use_cases: ['Understand a text at a glance', 'Sort incoming texts by topic and sentiment'],
    complexity_level: 'simple',
  },
}

const contentReview: BuiltInFlow = {
  definition: {
    id: 'content_review',
    label: 'Content review',
    description:
      'Four agents review a text in parallel: quality, readability, structure and links, and compliance. Put the text into `content`.',
    version: '1.0.0',
    category: 'content',
    tags: ['review', 'quality', 'readability', 'compliance'],
    global_configuration: { allow_builtin_fallback: true },
    steps: [
      { id: 'review', type: 'agent', label: 'Review quality', agent: 'content_quality_reviewer' },
      { id: 'readability', type: 'agent', label: 'Measure readability', agent: 'readability_analyst' },
      { id: 'structure', type: 'agent', label: 'Structure and links', agent: 'structure_and_link_checker' },
      { id: 'compliance', type: 'agent', label: 'Check compliance', agent: 'compliance_checker' },
    ],
  },
  metadata: {
    use_cases: ['Review a text before it is published', 'Find weak passages of a text'],
    complexity_level: 'simple',
  },
}

/** The workflows that come with the platform. */
export const builtInWorkflows: readonly BuiltInFlow[] = [
  contentReview,
  publishReady,
  translateAndCheck,
  textInsights,
  searchPackage,
]
