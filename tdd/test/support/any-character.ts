import * as fc from 'fast-check'

/** Any code point but surrogates. The unit `binary` is the same, but takes a second and 100 MB to list them all. */
export const anyCharacter: fc.Arbitrary<string> = fc
  .integer({ max: 0x10_ffff - 0x800, min: 0 })
  .map((code) => String.fromCodePoint(code < 0xd800 ? code : code + 0x800))
