/** A file that a tool call is about to change. */
export interface Write {
  readonly path: string
  /** `attributes` leaves the content as it is: `chmod`. */
  readonly kind: 'write' | 'delete' | 'attributes'
  /** What is to be written, where the assistant tells. */
  readonly text?: string | undefined
}

/** What an assistant's hook call comes down to, whichever protocol it came in. */
export interface HookCall {
  /** `session` is the start of a session, for assistants that take context only there. */
  readonly event: 'prompt' | 'session' | 'edit' | 'other'
  readonly cwd: string
  readonly prompt?: string | undefined
  readonly writes?: readonly Write[]
  /** A shell command, which may write files too. */
  readonly command?: string | undefined
}

/** What the rules say to a call. Both texts are for the assistant to read. */
export interface HookDecision {
  /** Why the call must not go on. */
  readonly denied?: string
  /** What the assistant should know, although the call goes on. */
  readonly context?: string
}

/** The output of the process for a decision. */
export interface Answer {
  readonly stdout?: string
  readonly stderr?: string
  readonly exitCode?: number
}

/** The hook protocol of one assistant. An empty decision lets the call pass. */
export interface Protocol {
  readonly name: string
  /** `input` is the parsed JSON document: any value at all. */
  read(input: unknown, cwd: string): HookCall
  answer(decision: HookDecision, call: HookCall): Answer
}
