import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js'
import 'swagger-ui-dist/swagger-ui.css'
import { BASE_URL } from './base-url.ts'
import './page.css'

SwaggerUI({
  url: new URL('tsp/v1/openapi.json', BASE_URL).href,
  domNode: document.querySelector('#page'),
  deepLinking: true,
  docExpansion: 'list',
  filter: true,
  tryItOutEnabled: true,
  validatorUrl: null,
})
