import { describe, expect, test } from 'vitest'
import { html, safeImageUrl, safeLinkUrl } from '../../../../src/link/pages/html.ts'

describe('an HTML template', () => {
  test('escapes values between tags and in attributes', () => {
    const hostile = `<script>alert(1)</script> & "double" 'single' \`tick\``
    const escaped =
      '&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;double&quot; &#39;single&#39; &#96;tick&#96;'
    expect(html`<p title="${hostile}">${hostile}</p>`.text).toBe(`<p title="${escaped}">${escaped}</p>`)
  })

  test('inserts HTML and lists of HTML unescaped, and nothing for missing values', () => {
    const names = ['a', '<b>'].map((name) => html`<i>${name}</i>`)
    expect(html`${names}|${null}${undefined}${false}|${0}`.text).toBe('<i>a</i><i>&lt;b&gt;</i>||0')
  })

  test('refuses an attribute without quotes, because a space would end it', () => {
    expect(() => html`<p title=${'a onclick=b'}></p>`).toThrow('quotes')
  })
})

test.each([
  ['https://app.example/linked?a=1', 'https://app.example/linked?a=1'],
  ['http://127.0.0.1:3000/', 'http://127.0.0.1:3000/'],
  ['/link/agreement', '/link/agreement'],
  ['javascript:alert(1)', null],
  [' javascript:alert(1)', null],
  ['JaVaScRiPt:alert(1)', null],
  ['data:text/html,<script>alert(1)</script>', null],
  ['//elsewhere.example', null],
  ['/\\elsewhere.example', null],
  ['', null],
  [null, null],
])('a link to %j has the target %j', (address, target) => {
  expect(safeLinkUrl(address)).toBe(target)
})

test.each([
  ['data:image/svg+xml,%3Csvg%3E', true],
  ['data:image/png;base64,AAAA', true],
  ['/link/assets/x.png', true],
  ['data:text/html,<script>', false],
  ['https://elsewhere.example/x.png', false],
  ['//elsewhere.example/x.png', false],
  ['javascript:alert(1)', false],
  ['', false],
])('the picture %j is shown: %j', (address, isShown) => {
  expect(safeImageUrl(address)).toBe(isShown ? address : null)
})
