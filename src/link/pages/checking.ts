import type { PageOptions, View } from '../view.ts'
import { html } from './html.ts'
import { renderDocument, statusLine, exitForms } from './layout.ts'
import { pageContextOf } from './page-context.ts'

type Checking = Extract<View, { step: 'checking' }>

export function checking({ provider, isSlow }: Checking, options: PageOptions): string {
  const context = pageContextOf(options, provider)
  const { texts, names } = context
  const slow = texts.checking.slow(names)
  return renderDocument(context, {
    title: texts.checking.title,
    viewName: 'checking',
    progressStep: 'checking',
    provider,
    scriptData: { follow: '1' },
    reloadSeconds: 2,
    body: html`<h1>${texts.checking.title}</h1>
      <p class="lede">${texts.checking.lede(names)}</p>
      ${statusLine('waiting', isSlow ? slow : texts.checking.usual, { slow })}
      ${html`<noscript><a class="link" href="${options.run}">${texts.checking.reload}</a></noscript>`}
      ${exitForms(context, null)}`,
  })
}
