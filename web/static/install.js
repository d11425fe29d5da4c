// Lets the phone keep the page that explains a lost connection. Browsers allow it over HTTPS, with a certificate
// they trust, and on the companion's own machine; elsewhere nothing happens.

const { worker } = document.body.dataset;

if (worker && window.isSecureContext && "serviceWorker" in navigator) {
  window.addEventListener("load", () => {
    // A browser that only tolerates the certificate refuses.
    navigator.serviceWorker.register(worker).catch(() => {});
  });
}
