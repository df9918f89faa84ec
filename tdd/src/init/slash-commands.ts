/** The commands that `init` adds to an assistant. */
export interface SlashText {
  readonly name: string
  readonly description: string
  /** The prompt of the command; `given` is the placeholder for its arguments. */
  readonly body: (given: string) => string
}

const sessionDescriptions = {
  off: 'Suspend the test-first rules for this session',
  on: 'Enforce the test-first rules again',
  stop: 'End the test-first session',
}

export const slashTexts: readonly SlashText[] = [
  {
    name: 'tdd-start',
    description: 'Begin a test-first session',
    body: () =>
      'A test-first session begins. If no [TDD] line above says so, run `npx tutti-tdd start`. Then ask which behaviour comes first, and wait for /tdd-red.',
  },
  {
    name: 'tdd-red',
    description: 'RED: write a test that fails; only tests may change',
    body: (given) =>
      `Feature: ${given}\n\nIf the [TDD Status] line above does not say RED, run \`npx tutti-tdd red "<feature>"\`.\nWrite the smallest test that describes the next behaviour. Change tests only. Run \`npx tutti-tdd run\` and see it fail for the right reason. Then stop, and propose /tdd-green.`,
  },
  {
    name: 'tdd-green',
    description: 'GREEN: make the failing test pass with the least code',
    body: (given) =>
      `Feature: ${given}\n\nIf the [TDD Status] line above does not say GREEN, run \`npx tutti-tdd green "<feature>"\`; if that is refused, tell the reason and stop.\nWrite the least code that makes the failing test pass, and leave the tests as they are. Run \`npx tutti-tdd run\` until GREEN holds. Then stop, and propose /tdd-refactor.`,
  },
  {
    name: 'tdd-refactor',
    description: 'REFACTOR: improve the code, keep every test passing',
    body: (given) =>
      `Feature: ${given}\n\nIf the [TDD Status] line above does not say REFACTOR, run \`npx tutti-tdd refactor "<feature>"\`; if that is refused, tell the reason and stop.\nImprove names, structure and duplication without new behaviour, in small steps, with \`npx tutti-tdd run\` after each and \`npx tutti-tdd validate\`, which lints, at the end. Then stop.`,
  },
  ...(['off', 'on', 'stop'] as const).map((word) => ({
    name: `tdd-${word}`,
    description: sessionDescriptions[word],
    body: () =>
      `The person wants this: ${sessionDescriptions[word]}. If no [TDD] line above says that it is done, run \`npx tutti-tdd ${word}\`; if that is refused, ask the person to run it in their own terminal, and stop.`,
  })),
  {
    name: 'tdd-status',
    description: 'Show phase, coverage, quality and compliance',
    body: () =>
      'Show the status of the test-first workflow: what the lines above say, or what `npx tutti-tdd status` prints.',
  },
  {
    name: 'tdd-validate',
    description: 'Show what is against the workflow',
    body: () =>
      'Show what is against the test-first workflow: what the lines above say, or what `npx tutti-tdd validate` prints. Explain each finding and what to do next.',
  },
]
