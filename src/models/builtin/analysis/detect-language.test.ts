import { expect, test } from 'vitest'
import { detectLanguage, givenLanguage } from './detect-language.ts'

async function codeOf(text: string): Promise<string | null> {
  const found = await detectLanguage(text)
  return 'value' in found && found.value.reliable ? found.value.code : null
}

test.each([
  ['en', 'The lighthouse keeper climbs the stairs every evening.'],
  ['de', 'Der Leuchtturmwärter steigt jeden Abend die Treppe hinauf.'],
  ['es', 'El farero sube la escalera todas las noches.'],
  ['fr', 'Le gardien du phare monte l’escalier chaque soir.'],
  ['it', 'Il guardiano del faro sale le scale ogni sera.'],
  ['ru', 'Смотритель маяка каждый вечер поднимается по лестнице.'],
  ['tr', 'Deniz feneri bekçisi her akşam merdiveni çıkar.'],
  ['ar', 'يصعد حارس المنارة الدرج كل مساء ويشعل الضوء للسفن.'],
  ['he', 'שומר המגדלור עולה במדרגות בכל ערב ומדליק את האור.'],
  ['zh', '灯塔看守人每天晚上都爬上楼梯。'],
  ['ja', '灯台守は毎晩階段を上ります。'],
  ['ko', '등대지기는 매일 저녁 계단을 올라 불을 켭니다.'],
  ['th', 'คนเฝ้าประภาคารเดินขึ้นบันไดทุกเย็น'],
])('%s is detected', async (code, text) => {
  expect(await codeOf(text)).toBe(code)
})

test.each(['', 'ok', 'Hm', '12 34', '😀😀😀', '?!…', 'qwrt zxcv'])(
  '%j is too short to detect a language',
  async (text) => {
    const found = await detectLanguage(text)
    expect('reason' in found && found.reason).toMatch(/too short|no words/i)
  },
)

test('a foreign first sentence does not decide the language of the text', async () => {
  const text = `Guten Morgen, liebe Freunde, und herzlich willkommen zu unserem kleinen Fest. ${'This is what the rest of the long letter says, in plain words. '.repeat(100)}`
  expect(await codeOf(text)).toBe('en')
})

test('two languages in equal parts are unreliable', async () => {
  const german = 'Das ist ein ganz gewöhnlicher Satz über das Wetter und die Leute. '.repeat(60)
  const english = 'This is quite an ordinary sentence about weather and people. '.repeat(65)
  const found = await detectLanguage(german + english)
  expect(found).toMatchObject({ value: { reliable: false } })
})

test('a given language is used unchanged, and an invalid tag is rejected', () => {
  expect(givenLanguage('pt-BR')).toEqual({
    code: 'pt',
    name: 'Portuguese',
    source: 'given',
    confidence: null,
    reliable: true,
  })
  expect(givenLanguage('nb').code).toBe('no')
  expect(() => givenLanguage('not a tag')).toThrow('"not a tag" is not a language tag')
})
