// Lets one Chrome and one Lighthouse judge many pages: reads a JSON list of URLs from standard input, prints one line of
// JSON for each. Must not know what the verdicts are compared with; tests/it/lighthouse does.
//
//   node lighthouse.mjs <folder of the lighthouse package>        CHROME_PATH names the browser
//
// Every host but loopback is mapped to nothing, so that neither a page nor the browser can ask anybody else.

import {createRequire} from 'node:module';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {readFileSync} from 'node:fs';

const AUDITS = [
  'document-title', 'meta-description', 'html-has-lang', 'html-lang-valid', 'viewport', 'charset', 'doctype', 'image-alt',
  'link-text', 'crawlable-anchors', 'canonical', 'is-crawlable', 'robots-txt', 'hreflang', 'button-name', 'link-name',
  'label', 'select-name', 'input-button-name', 'input-image-alt', 'frame-title', 'object-alt', 'aria-command-name',
  'aria-dialog-name', 'aria-toggle-field-name', 'aria-input-field-name', 'heading-order', 'empty-heading', 'accesskeys',
  'aria-roles', 'aria-valid-attr', 'aria-valid-attr-value', 'aria-required-attr', 'aria-hidden-focus', 'list', 'listitem',
  'definition-list', 'dlitem', 'td-headers-attr', 'table-duplicate-name', 'skip-link', 'video-caption', 'tabindex',
  'meta-viewport', 'meta-refresh', 'csp-xss',
];

// Lighthouse tells limited quirks mode from none only when something else makes it look at the browser's issues and trace.
const FOR_THEIR_ARTIFACTS = ['inspector-issues', 'first-contentful-paint'];

const CHROME_FLAGS = [
  '--headless=new', '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update',
  '--disable-sync', '--no-first-run', '--disable-dev-shm-usage', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

const folder = process.argv[2];
const required = createRequire(join(folder, 'package.json'));
const load = file => import(pathToFileURL(file).href);
const {default: lighthouse} = await load(join(folder, 'core/index.js'));
const chromeLauncher = await load(required.resolve('chrome-launcher'));

const settings = {
  onlyAudits: [...AUDITS, ...FOR_THEIR_ARTIFACTS],
  output: 'json',
  logLevel: 'silent',
  // What is judged is in the page itself: nothing has to be waited for, nothing to be slowed down.
  throttlingMethod: 'provided',
  pauseAfterFcpMs: 0, pauseAfterLoadMs: 0, networkQuietThresholdMs: 0, cpuQuietThresholdMs: 0,
  maxWaitForFcp: 40000, maxWaitForLoad: 45000,
  disableFullPageScreenshot: true,

};

function told(url, report) {
  const audits = {};
  for (const id of AUDITS) {
    const {score, scoreDisplayMode: mode, explanation, displayValue, details} =
      report.audits[id] ?? {scoreDisplayMode: 'absent'};
    // What only informs has no score: its findings are one, and of a policy those of high severity.
    const severe = details?.items?.find(item => item.severity?.formattedDefault === 'High' || item.severity === 'High');
    const wrong = id === 'csp-xss' ? severe : details?.items?.length;
    const own = mode === 'informative' ? (wrong ? 0 : 1) : score ?? null;
    const first = details?.items?.[0]?.node?.snippet ?? severe?.description ?? null;
    audits[id] = {score: own, mode, told: explanation ?? displayValue ?? first};
  }
  const trouble = report.runtimeError ? `${report.runtimeError.code}: ${report.runtimeError.message}` : null;
  return {url, version: report.lighthouseVersion, trouble, audits};
}

const urls = JSON.parse(readFileSync(0, 'utf8'));
const chrome = await chromeLauncher.launch({chromeFlags: CHROME_FLAGS, logLevel: 'silent'});
try {
  for (const url of urls) {
    const result = await lighthouse(url, {...settings, port: chrome.port});
    console.log(JSON.stringify(told(url, result.lhr)));
  }
} finally {
  await chrome.kill();
}
