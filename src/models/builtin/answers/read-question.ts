import type { ChatMessage } from '../../providers/provider.ts'
import { readInstruction, readStandingTask, type Task } from './read-task.ts'

/** A text, and what is to be found out about it. */
export interface Question {
  readonly text: string
  readonly task: Task
}

const everything: Task = { names: [], most: undefined, keyword: undefined }

/**
 * Finds the text in a conversation.
 *
 * | the last user message is        | the text is                        | the task is                        |
 * |---------------------------------|------------------------------------|------------------------------------|
 * | an instruction and a text       | what follows the instruction       | that of the instruction            |
 * | an instruction alone            | the user message before it         | that of the instruction            |
 * | a text                          | the message                        | that of the system prompt, or all  |
 *
 * Undefined when there is no user message.
 */
export function readQuestion(messages: readonly ChatMessage[]): Question | undefined {
  const said = messages.filter(({ role }) => role === 'user').map(({ content }) => content)
  const [last, before] = [said.at(-1), said.at(-2)]
  if (last === undefined) return undefined
  const instruction = readInstruction(last)
  if (instruction === undefined) return { text: last, task: standingTask(messages) ?? everything }
  const { task, text } = instruction
  if (text !== '' || before === undefined) return { text, task }
  return { text: readInstruction(before)?.text || before, task }
}

function standingTask(messages: readonly ChatMessage[]): Task | undefined {
  for (const { role, content } of messages) {
    const task = role === 'system' ? readStandingTask(content) : undefined
    if (task !== undefined) return task
  }
  return undefined
}
