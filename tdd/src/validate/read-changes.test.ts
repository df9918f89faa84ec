import { expect, test } from 'vitest'
import { addedSkips } from './read-changes.ts'

const diffOf = (line: string): string => `--- a/x\n+++ b/src/cart.test.ts\n@@ -1 +1 @@\n-old\n+${line}\n`

test.each([
  "it.skip('x', () => {})",
  "describe.only('x', () => {})",
  "xit('x', () => {})",
  "test.todo('x')",
  '@pytest.mark.skip',
  '@unittest.skipIf(True, "x")',
  't.Skip("later")',
  '@Disabled',
  '#[ignore]',
  '$this->markTestSkipped()',
  '[Fact(Skip = "later")]',
  'TEST(Cart, DISABLED_Adds) {}',
])('%s disables a test', (line) => {
  expect([...addedSkips(diffOf(line))]).toEqual([['src/cart.test.ts', [line]]])
})

test.each([
  "test('skips empty carts', () => {})",
  'array.skip(3)',
  'const only = 1',
  'expect(page.items.only).toBe(1)',
])('%s does not disable a test', (line) => {
  expect(addedSkips(diffOf(line)).size).toBe(0)
})

test('removed lines do not count', () => {
  expect(addedSkips("+++ b/a.test.ts\n-it.skip('x')\n").size).toBe(0)
})
