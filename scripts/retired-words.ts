/** A word the project no longer uses. `npm run check` fails where one comes back. */
export interface RetiredWord {
  /** Lower case. A phrase has spaces; a word that ends in `*` is a prefix of an identifier (`most*`: mostRows). */
  readonly word: string
  readonly use: string
  /** The folders the rule covers; every folder without it. */
  readonly within?: readonly string[]
  /** Files or identifiers in which the word has its ordinary meaning. */
  readonly except?: readonly (string | RegExp)[]
  /** Stored names and values that contain the word and cannot change. */
  readonly quotes?: readonly string[]
}

export const retiredWords: readonly RetiredWord[] = [
  { word: 'room', use: 'module, memory budget, capacity or space' },
  { word: 'rooms', use: 'modules' },
  { word: 'front door', use: 'public API (index.ts)' },
  { word: 'side door', use: 'entry point' },
  { word: 'standing', use: 'account status, provider health, overall status or schedule state' },
  { word: 'standings', use: 'statuses' },
  { word: 'telling', use: 'event publisher, or a plain verb', except: [/telling_passages/] },
  { word: 'tellings', use: 'event publishers' },
  { word: 'teller', use: 'event mapper' },
  { word: 'tellers', use: 'event mappers' },
  { word: 'happening', use: 'outbox entry, or event' },
  { word: 'happenings', use: 'outbox entries, or events' },
  { word: 'purse', use: 'budget' },
  { word: 'purses', use: 'budgets' },
  // The owner of the migrations and the name of the task are stored in the database.
  { word: 'vitals', use: 'metrics history', quotes: ["'kernel-vitals'", "'vitals.clean-up'"] },
  // The salt derives the keys of everything encrypted so far.
  { word: 'sealing', use: 'encryption', quotes: ["'tutti sealing'"] },
  { word: 'seal', use: 'encrypt' },
  {
    word: 'sealed',
    use: 'encrypted',
    // The column, and the member of a stored key, keep their name.
    except: [
      'src/kernel/idempotency/claims.ts',
      'src/models/provider-keys/provider-keys.ts',
      'src/identity/tokens/',
      'test/database/encryption-signing-keys.test.ts',
      'test/http/models-providers.test.ts',
    ],
  },
  { word: 'desk', use: 'API, routes' },
  { word: 'lane', use: 'batch item, delivery partition or worker' },
  { word: 'lanes', use: 'batch items, delivery partitions or workers' },
  { word: 'wish', use: 'option, preference or requirement' },
  { word: 'wishes', use: 'options, preferences or requirements' },
  { word: 'wished', use: 'requested' },
  { word: 'judge', use: 'classify, score or check' },
  { word: 'judges', use: 'classifies, scores or checks' },
  // An enum value in the output of built-in agents.
  { word: 'judged', use: 'classified, scored or checked', quotes: ["'not judged'"] },
  { word: 'judgement', use: 'classification' },
  {
    word: 'verdict',
    use: 'outcome, decision',
    // A field in the output of built-in agents, and a step of a built-in flow.
    except: [
      'src/orchestra/agents/analysers/',
      'src/orchestra/agents/built-in/',
      'src/engine/built-in/',
      'test/database/orchestra-agents-built-in.test.ts',
      'test/database/engine-flows-built-in.test.ts',
      'docs/guides/run-flows.md',
    ],
    quotes: ['`verdict`', '`{{verdict}}`', '.results.review.verdict'],
  },
  { word: 'verdicts', use: 'outcomes, decisions' },
  { word: 'tally', use: 'stats, usage or counter' },
  {
    word: 'voice',
    use: 'error format',
    // A field of OpenAI's requests.
    except: ['test/http/models-gateway-openai-fields.test.ts'],
  },
  { word: 'wording', use: 'error messages' },
  { word: 'short memory', use: 'TTL cache' },
  { word: 'upkeep', use: 'maintenance tasks' },
  { word: 'ailing', use: 'slow' },
  { word: 'in hand', use: 'in flight' },
  { word: 'adopt', use: 'run locally' },
  { word: 'adopts', use: 'runs locally' },
  { word: 'under way', use: 'running, in progress' },
  { word: 'underway', use: 'running, in progress' },
  { word: 'comes along', use: 'is included' },
  { word: 'goes along', use: 'is included' },
  { word: 'crowd', use: 'many concurrent callers, executions, …' },
  { word: 'whoever', use: 'the name of the actor' },
  { word: 'nobody', use: 'the name of the actor, or anonymous', except: ['src/kernel/database/embedded/'] },
  { word: 'somebody', use: 'the name of the actor' },
  {
    word: 'most*',
    use: 'maxX',
    except: [/^most(Positive|Negative|Recent|Used|Specific|Failing|Frequent|Failed|Likely|Overlap|Rivals)/],
  },
  { word: 'longest*', use: 'maxX', except: [/^longest(Path|Of|Gap|Rising|Step|Stretch|Session|Years)/] },
  { word: 'largest*', use: 'maxX' },
]
