/** A file that a tool call is about to change. */
export interface Write {
  readonly path: string
  readonly kind: 'write' | 'delete'
  /** The text to be written, if the assistant sends it. */
  readonly text?: string | undefined
}

/** A hook call, independent of the protocol of the assistant. */
export interface HookCall {
  /**
   * `session` is the start of a session, for assistants that take context only there; `after` follows a command or another
   * program.
   */
  readonly event: 'prompt' | 'session' | 'edit' | 'after' | 'other'
  readonly cwd: string
  readonly prompt?: string | undefined
  readonly writes?: readonly Write[]
  /** A shell command, which may write files too. */
  readonly command?: string | undefined
  /** A tool that can run programs or write files without naming them, as those of MCP servers. */
  readonly opaque?: boolean
  /** Whether the command runs on in the background, in the event after it. */
  readonly runsOn?: boolean
  /** Whether the tool failed, in the event after it. */
  readonly failed?: boolean
  /** The id that the assistant gives the events before and after one call. */
  readonly id?: string | undefined
  /** The session of the assistant. */
  readonly session?: string | undefined
}

/** The decision about a call. The assistant reads both texts. */
export interface HookDecision {
  /** The reason of a refusal. */
  readonly denied?: string
  /** Context for the assistant; the call is allowed. */
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
  /** `input` is the parsed JSON document, of any type. */
  read(input: unknown, cwd: string): HookCall
  answer(decision: HookDecision, call: HookCall): Answer
}
