import { expect, test } from 'vitest'
import { addEntries, mentionsUs, removeEntries } from './merge-settings.ts'

const ours = { type: 'command', command: 'node "$CLAUDE_PROJECT_DIR/.tdd/hook.cjs" --agent claude-code' }
const mine = { type: 'command', command: './mine.sh' }
const settings = {
  path: 'settings.json',
  initial: {},
  entries: { PreToolUse: [{ matcher: 'Edit', hooks: [ours] }] },
}

test('the hook entries come after existing entries', () => {
  const there = {
    model: 'opus',
    hooks: { Stop: [{ hooks: [mine] }], PreToolUse: [{ matcher: 'Bash', hooks: [mine] }] },
  }
  expect(addEntries(there, settings)).toEqual({
    model: 'opus',
    hooks: {
      Stop: [{ hooks: [mine] }],
      PreToolUse: [
        { matcher: 'Bash', hooks: [mine] },
        { matcher: 'Edit', hooks: [ours] },
      ],
    },
  })
})

test('adding twice equals adding once, and an older entry is replaced', () => {
  const once = addEntries({}, settings)
  expect(addEntries(once, settings)).toEqual(once)
  const older = { hooks: { PreToolUse: [{ matcher: 'Write', hooks: [{ ...ours, timeout: 60 }] }] } }
  expect(addEntries(older, settings)).toEqual(once)
})

test('a user hook in the same group stays', () => {
  const mixed = { hooks: { PreToolUse: [{ matcher: 'Edit', hooks: [mine, ours] }] } }
  expect(removeEntries(mixed)).toEqual({ hooks: { PreToolUse: [{ matcher: 'Edit', hooks: [mine] }] } })
})

test('removing restores the previous settings', () => {
  for (const before of [
    {},
    { model: 'opus' },
    { hooks: { Stop: [{ hooks: [mine] }] } },
    { hooks: { Stop: [] } },
  ]) {
    const after = removeEntries(addEntries(before, settings))
    expect(after).toEqual(before)
    expect(mentionsUs(after)).toBe(false)
  }
})
