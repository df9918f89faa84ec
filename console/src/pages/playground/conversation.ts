import type { Send } from '../../api/send.ts'
import { type Answer, endAnswer, failAnswer, growAnswer, isOver, unanswered } from './answer.ts'
import { askModel } from './ask-model.ts'
import { type AskSettings, plainSettings } from './ask-settings.ts'
import { type ChatMessage, writeChatRequest } from './chat-request.ts'

/** A question and its answer. */
export interface Turn {
  readonly id: number
  readonly question: string
  /** The requested model, which may differ from the one that answered. */
  readonly model: string
  /** The request asked for JSON output. */
  readonly json: boolean
  readonly answer: Answer
}

/** The state of the Playground. */
interface ConversationState {
  readonly turns: readonly Turn[]
  /** The typed text; undefined until the user types. */
  readonly draft: string | undefined
  readonly settings: AskSettings
  /** Answers are shown as raw text. */
  readonly isRaw: boolean
  /** The last chosen model; undefined until the user chooses one. */
  readonly model: string | undefined
}

/** A conversation with models. It continues while the user visits other pages. */
export interface Conversation {
  readonly read: () => ConversationState
  readonly subscribe: (onChange: () => void) => () => void
  readonly change: (changes: Partial<Omit<ConversationState, 'turns'>>) => void
  /** Sends the question, unless an answer is streaming. */
  readonly ask: (question: string, model: string) => void
  /** Sends the last question again and replaces its answer. */
  readonly askAgain: (model: string) => void
  readonly stop: () => void
  readonly clear: () => void
}

export interface ConversationOptions {
  readonly send: Send
  readonly origin: string
  readonly now?: () => number
}

const nothingYet: ConversationState = {
  turns: [],
  draft: undefined,
  settings: plainSettings,
  isRaw: false,
  model: undefined,
}

export function createConversation({
  send,
  origin,
  now = () => performance.now(),
}: ConversationOptions): Conversation {
  const listeners = new Set<() => void>()
  let state = nothingYet
  let lastId = 0
  let running: AbortController | undefined

  function set(changes: Partial<ConversationState>): void {
    state = { ...state, ...changes }
    for (const listener of listeners) listener()
  }

  function setAnswer(id: number, change: (answer: Answer) => Answer): void {
    const turns = state.turns.map((turn) =>
      turn.id === id ? { ...turn, answer: change(turn.answer) } : turn,
    )
    set({ turns })
  }

  async function follow(turn: Turn, said: readonly ChatMessage[], stopped: AbortController): Promise<void> {
    const askedAt = now()
    const after = () => now() - askedAt
    const request = writeChatRequest({
      model: turn.model,
      settings: state.settings,
      said,
      question: turn.question,
    })
    try {
      for await (const part of askModel(request, { send, origin, signal: stopped.signal })) {
        setAnswer(turn.id, (answer) => growAnswer(answer, part, after()))
      }
      setAnswer(turn.id, (answer) => endAnswer(answer, 'answered', after()))
    } catch (error) {
      setAnswer(turn.id, (answer) =>
        stopped.signal.aborted ? endAnswer(answer, 'stopped', after()) : failAnswer(answer, error, after()),
      )
    } finally {
      if (running === stopped) running = undefined
    }
  }

  function begin(before: readonly Turn[], question: string, model: string): void {
    lastId += 1
    const turn: Turn = { id: lastId, question, model, json: state.settings.json, answer: unanswered }
    running = new AbortController()
    set({ turns: [...before, turn], model })
    void follow(turn, whatWasSaid(before), running)
  }

  return {
    read: () => state,
    subscribe(onChange) {
      listeners.add(onChange)
      return () => listeners.delete(onChange)
    },
    change: set,
    ask(question, model) {
      if (running !== undefined) return
      begin(state.turns, question, model)
    },
    askAgain(model) {
      const last = state.turns.at(-1)
      if (running === undefined && last !== undefined) begin(state.turns.slice(0, -1), last.question, model)
    },
    stop: () => running?.abort(),
    clear() {
      running?.abort()
      running = undefined
      set({ turns: [] })
    },
  }
}

/** The turns as messages for a model. Unanswered questions are left out. */
export function whatWasSaid(turns: readonly Turn[]): ChatMessage[] {
  return turns
    .filter(({ answer }) => isOver(answer) && answer.text !== '')
    .flatMap(({ question, answer }) => [
      { role: 'user', content: question } as const,
      { role: 'assistant', content: answer.text } as const,
    ])
}
