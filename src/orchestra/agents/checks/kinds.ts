type Option = 'field' | 'fields' | 'least' | 'most' | 'within' | 'parameter' | 'finding'

/** The options of a check. */
interface CheckKind {
  readonly needs: readonly Option[]
  readonly takes: readonly Option[]
}

/**
 * All checks of an output. Without `field` a check covers all texts of the output.
 *
 * | check                 | passes when                                                                           |
 * |-----------------------|---------------------------------------------------------------------------------------|
 * | min_length            | the text has `least` characters                                                       |
 * | max_length            | each text has no more than `most` characters                                          |
 * | not_longer_than_input | the text has no more than `within` (default 1) times the characters of the input      |
 * | min_quality           | its quality is `least` or more, 0 to 100                                              |
 * | same_language         | it is in the language of the input                                                    |
 * | language_is           | it is in the language that the parameter names                                        |
 * | keeps_numbers         | every number of the input with two or more digits is in it                            |
 * | no_new_numbers        | every number of two digits or more in it is in the input, instructions or parameters  |
 * | keeps_links           | every URL of the input is in it                                                       |
 * | quotes_input          | each text of the field is in the input, word for word                                 |
 * | required_fields       | none of the fields is missing, null or empty                                          |
 * | mentions              | it contains the words of the parameter                                                |
 * | agrees_with           | the number at `field` differs by at most `within` from the result at `finding`        |
 *
 * A check that cannot decide, such as the language of three words, neither passes nor fails.
 */
export const checkKinds = {
  min_length: { needs: ['least'], takes: ['field'] },
  max_length: { needs: ['most'], takes: ['field'] },
  not_longer_than_input: { needs: [], takes: ['field', 'within'] },
  min_quality: { needs: ['least'], takes: ['field'] },
  same_language: { needs: [], takes: ['field'] },
  language_is: { needs: ['parameter'], takes: ['field'] },
  keeps_numbers: { needs: [], takes: ['field'] },
  no_new_numbers: { needs: [], takes: ['field'] },
  keeps_links: { needs: [], takes: ['field'] },
  quotes_input: { needs: ['field'], takes: [] },
  required_fields: { needs: ['fields'], takes: [] },
  mentions: { needs: ['parameter'], takes: ['field'] },
  agrees_with: { needs: ['field', 'finding', 'within'], takes: [] },
} as const satisfies Record<string, CheckKind>

export type CheckName = keyof typeof checkKinds
export const checkNames = Object.keys(checkKinds) as readonly CheckName[]
