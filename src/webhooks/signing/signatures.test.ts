import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalJson } from './signatures.ts'

/** A double by its bits, as RFC 8785 lists them in appendix B. */
function double(bits: string): number {
  return Buffer.from(bits, 'hex').readDoubleBE()
}

/** Any code point but surrogates. The unit `binary` is the same, but takes a second and 100 MB to list them all. */
const character = fc
  .integer({ max: 0x10_ffff - 0x800, min: 0 })
  .map((code) => String.fromCodePoint(code < 0xd800 ? code : code + 0x800))

describe('canonical JSON', () => {
  test('writes the example of RFC 8785', () => {
    const value: unknown = JSON.parse(String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`)
    expect(canonicalJson(value)).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    )
  })

  test('orders names by their UTF-16 code units, as RFC 8785 shows', () => {
    const value = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    }
    const order = [...canonicalJson(value).matchAll(/:"([^"]+)"/g)].map(([, name]) => name)
    expect(order).toEqual([
      'Carriage Return',
      'One',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ])
  })

  test.for([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['ffefffffffffffff', '-1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['c340000000000000', '-9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['44b52d02c7e14af7', '1.0000000000000001e+23'],
    ['444b1ae4d6e2ef4e', '999999999999999700000'],
    ['444b1ae4d6e2ef4f', '999999999999999900000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555553', '333333333.3333332'],
    ['41b3de4355555554', '333333333.33333325'],
    ['41b3de4355555555', '333333333.3333333'],
    ['41b3de4355555556', '333333333.3333334'],
    ['41b3de4355555557', '333333333.33333343'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
    ['43143ff3c1cb0959', '1424953923781206.2'],
  ])('writes the double %s as %s', ([bits = '', text]) => {
    expect(canonicalJson(double(bits))).toBe(text)
  })

  test.for(['7fffffffffffffff', '7ff0000000000000'])('refuses %s, which is not a number', (bits) => {
    expect(() => canonicalJson(double(bits))).toThrow(TypeError)
  })

  test('rejects lone surrogates, also in names', () => {
    expect(() => canonicalJson('\ud83d')).toThrow(TypeError)
    expect(() => canonicalJson({ '\ude00': 1 })).toThrow(TypeError)
  })

  test('parses to the same value and is independent of the order of names', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: character }), (value) => {
        const text = canonicalJson(value)
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
        expect(canonicalJson(JSON.parse(text, reverseNames))).toBe(text)
      }),
    )
  })
})

function reverseNames(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toReversed())
}
