import type { PageOptions, View } from '../view.ts'
import { html, type Html, type Part, safeLinkUrl } from './html.ts'
import { icon } from './icons.ts'
import { renderDocument } from './layout.ts'
import { type PageContext, pageContextOf } from './page-context.ts'

type ResultPage<Step> = Extract<View, { step: Step }>

export function done(
  { provider, isAgain, publicToken, backTo }: ResultPage<'done'>,
  options: PageOptions,
): string {
  const context = pageContextOf(options, provider)
  const { texts, names } = context
  const { stop } = texts.promise
  const title = isAgain ? texts.done.titleAgain : texts.done.title
  const text = isAgain ? texts.done.textAgain : texts.done.text
  return renderDocument(context, {
    title,
    viewName: 'done',
    progressStep: 'done',
    provider,
    scriptData: { message: 'SUCCESS', token: publicToken },
    body: html`<span class="stamp">${icon('choice')}</span>
      <h1>${title}</h1>
      <p class="lede" role="status">${text(names)}</p>
      ${continueLink(context, backTo, texts.done.onward(names)) ?? html`<p>${texts.done.mayClose}</p>`}
      ${closeButton(context, 'CLOSE')}
      <p class="sealed">${icon('stop')}<span>${stop.name}. ${stop.text(names)}</span></p>`,
  })
}

export function cancelled({ backTo }: ResultPage<'cancelled'>, options: PageOptions): string {
  const context = pageContextOf(options)
  const { title, text, onward: name } = context.texts.cancelled
  return renderDocument(context, {
    title,
    viewName: 'cancelled',
    scriptData: { message: 'EXIT' },
    body: resultPage(
      'stop',
      title,
      html`<p class="lede">${text(context.names)}</p>
        ${continueLink(context, backTo, name(context.names))}`,
    ),
  })
}

export function requested({ backTo }: ResultPage<'requested'>, options: PageOptions): string {
  const context = pageContextOf(options)
  const { title, text, onward: name } = context.texts.requested
  return renderDocument(context, {
    title,
    viewName: 'requested',
    body: resultPage(
      'choice',
      title,
      html`<p class="lede" role="status">${text(context.names)}</p>
        ${continueLink(context, backTo, name(context.names))} ${closeButton(context, 'EXIT')}`,
    ),
  })
}

export function refused({ why, parameter }: ResultPage<'refused'>, options: PageOptions): string {
  const context = pageContextOf(options)
  const { title, text } = context.texts.refusals[why]
  return renderDocument(context, {
    title,
    viewName: 'refused',
    isError: true,
    body: resultPage(
      'alert',
      title,
      html`<p class="lede">${text(context.names)}</p>
        ${parameter && html`<p class="parameter">${context.texts.parameter} <code>${parameter}</code></p>`}
        ${closeButton(context, 'EXIT')}`,
    ),
  })
}

export function returned(_: ResultPage<'return'>, options: PageOptions): string {
  const context = pageContextOf(options)
  const { title, text } = context.texts.returned
  return renderDocument(context, {
    title,
    viewName: 'return',
    body: resultPage('choice', title, html`<p class="lede">${text(context.names)}</p>`),
  })
}

const resultPage = (iconName: Parameters<typeof icon>[0], title: string, content: Part): Html =>
  html`<div class="ending ending-${iconName}">
    ${icon(iconName)}
    <h1>${title}</h1>
    ${content}
  </div>`

/**
 * Renders the link to the integrator. In a frame, the link opens in the top window. Without a script, the host page
 * gets no message and would not continue itself.
 */
function continueLink({ options }: PageContext, backTo: string | null, name: string): Html | null {
  const url = safeLinkUrl(backTo)
  return url === null
    ? null
    : html`<p><a class="primary" href="${url}" ${options.isFramed && html` target="_top"`}>${name}</a></p>`
}

/**
 * Renders the close button. It is hidden until the script shows it, because only a script can close a frame.
 */
const closeButton = ({ texts }: PageContext, message: string): Html =>
  html`<button type="button" class="secondary wide" data-close="${message}" hidden>${texts.close}</button>`
