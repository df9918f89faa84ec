import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import type { OpenApiDocument } from '#kernel/http'
import { openPlatform } from '../support/platform.ts'

test('each API has a valid OpenAPI document, and together they are the whole', async () => {
  await using platform = await openPlatform()
  const read = async (path: string) =>
    (await (await fetch(`${platform.url}${path}`)).json()) as OpenApiDocument
  const whole = await read('/openapi.json')
  const paths = new Set<string>()
  for (const { name } of whole.tags ?? []) {
    const document = await read(`/openapi/${name}.json`)
    for (const path of Object.keys(document.paths)) paths.add(path)
    const validated = await new Validator().validate(document as unknown as Record<string, unknown>)
    expect(validated, name).toMatchObject({ valid: true })
  }
  expect([...paths].sort()).toEqual(Object.keys(whole.paths).sort())
})
