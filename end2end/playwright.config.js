// The browser tests: the system's Chromium against the real binary. Chromium comes from scripts/ensure-browser.sh; the test
// tool downloads nothing.
import { defineConfig } from "@playwright/test";

const desktop = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };

export default defineConfig({
  testDir: "browser",
  outputDir: "test-results",
  timeout: 40_000,
  expect: { timeout: 10_000 },
  // Each worker starts a server of its own; one a core would starve them.
  workers: process.env.E2E_WORKERS ? Number(process.env.E2E_WORKERS) : 1,
  forbidOnly: !!process.env.CI,
  reporter: [["list"]],
  use: {
    viewport: desktop,
    locale: "en-GB",
    timezoneId: "Europe/Moscow",
    colorScheme: "light",
    trace: "retain-on-failure",
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
  projects: [
    { name: "journey", testMatch: /(journey|keys)\.spec\.js/ },
    { name: "journey-phone-ru", testMatch: "journey.spec.js", use: { viewport: phone, hasTouch: true, locale: "ru-RU", colorScheme: "dark" } },
    { name: "no-script", testMatch: "no-script.spec.js", use: { javaScriptEnabled: false } },
    { name: "no-script-ru", testMatch: "no-script.spec.js", use: { javaScriptEnabled: false, locale: "ru-RU" } },
    { name: "lookup", testMatch: /(lookup|manage|people|events|inspector)\.spec\.js/ },
    { name: "lookup-phone-ru", testMatch: /(lookup|manage|people|events|inspector)\.spec\.js/, use: { viewport: phone, hasTouch: true, locale: "ru-RU", colorScheme: "dark" } },
    { name: "lookup-no-script-ru", testMatch: /(lookup|manage|people|events|inspector)\.spec\.js/, use: { javaScriptEnabled: false, locale: "ru-RU" } },
    { name: "security", testMatch: /(security|roles|tour)\.spec\.js/ },
    { name: "pages-light", testMatch: /(pages|docs|aria)\.spec\.js/ },
    { name: "pages-dark-ru", testMatch: /(pages|docs)\.spec\.js/, use: { colorScheme: "dark", locale: "ru-RU" } },
    { name: "pages-phone-light-ru", testMatch: /(pages|docs)\.spec\.js/, use: { viewport: phone, hasTouch: true, locale: "ru-RU" } },
    { name: "pages-phone-dark", testMatch: /(pages|docs)\.spec\.js/, use: { viewport: phone, hasTouch: true, colorScheme: "dark" } },
  ],
});
