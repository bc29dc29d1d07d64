declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  interface Options {
    readonly url: string
    readonly domNode: Element | null
    readonly deepLinking?: boolean
    readonly docExpansion?: 'list' | 'full' | 'none'
    readonly filter?: boolean
    readonly tryItOutEnabled?: boolean
    /** Service that validates the document: swagger.io by default, none if null. */
    readonly validatorUrl?: string | null
  }
  const SwaggerUI: (options: Options) => unknown
  export { SwaggerUI as default }
}
declare module '*.css'
