// What changes something over plain HTTP: a file that comes in, a file that is made.

import { t } from "./i18n.js";

// Send it with the header that tells that a page of the companion does; throws the companion's line where it refuses.
export async function postTo(address, body) {
  const response = await fetch(address, { method: "POST", body, headers: { Accept: "application/json", "X-Companion-Page": "1" } });
  if (response.ok) return response;
  let line = "";
  try {
    line = (await response.json()).error.message;
  } catch {
    line = t("The companion did not answer that.");
  }
  throw new Error(line);
}
