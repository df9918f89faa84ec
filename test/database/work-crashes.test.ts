import { expect, test } from 'vitest'
import { createCrashMarks } from '#kernel/work'
import { chores } from './work-chores.ts'
import { openChoreScene } from './work-setting.ts'

const ada = '00000000-0000-4000-8000-00000000000a'
const bob = '00000000-0000-4000-8000-00000000000b'
const of = (workerId: string, key: string | number = 1) => ({ workerId, key })

test('a worker that died while it worked on a row is counted; one that paused is not', async () => {
  await using scene = await openChoreScene()
  const marks = createCrashMarks(scene.database, chores)
  expect(await marks.begin(of(ada))).toBe(0)
  // The same worker again, for example because the connection was lost before the answer.
  expect(await marks.begin(of(ada))).toBe(0)
  expect(await marks.begin(of(bob))).toBe(1)
  await marks.pause(of(bob))
  expect(await marks.begin(of(ada))).toBe(1)
  expect(await marks.begin(of(ada, 2))).toBe(0)
  expect(await marks.begin(of(bob))).toBe(2)
  // A worker that lost the row removes only its own mark.
  await marks.pause(of(ada))
  await marks.forget(of(ada))
  expect(await marks.begin(of(ada))).toBe(3)
  await marks.forget(of(ada))
  expect(await marks.begin(of(bob))).toBe(0)
})

test('a worker that stops in order leaves no mark', async () => {
  await using scene = await openChoreScene()
  const worker = await scene.startWorker(async () => {})
  const marks = createCrashMarks(scene.database, chores)
  await marks.begin(of(worker.id))
  await worker.stop()
  expect(await marks.begin(of(bob))).toBe(0)
})
