/* See siconos.h. The simulation is set up once, with all contacts closed; only its impact problem
 * is solved repeatedly. */
#include "siconos.h"

#include <memory>
#include <vector>

#include <SiconosKernel.hpp>

struct SiconosChain {
    std::shared_ptr<NonSmoothDynamicalSystem> system;
    std::shared_ptr<EventDriven> simulation;
    std::shared_ptr<MultipleImpact> impact;
    std::vector<std::shared_ptr<Interaction>> contacts;
};

namespace {

/* more than any step here needs */
const unsigned int MOST_STEPS = 100000000;

std::shared_ptr<LagrangianLinearTIDS> ball(double mass, double speed) {
    auto M = std::make_shared<SimpleMatrix>(1, 1);
    auto q = std::make_shared<SiconosVector>(1), v = std::make_shared<SiconosVector>(1);
    (*M)(0, 0) = mass;
    (*v)(0) = speed;
    return std::make_shared<LagrangianLinearTIDS>(q, v, M);
}

/* Elastic, stiffness 1, linear spring; the gap is q_i - q_(i+1), or q_i at the wall. */
std::shared_ptr<Interaction> contact(bool wall) {
    auto C = std::make_shared<SimpleMatrix>(1, wall ? 1 : 2);
    (*C)(0, 0) = 1;
    if (!wall) {
        (*C)(0, 1) = -1;
    }
    return std::make_shared<Interaction>(std::make_shared<MultipleImpactNSL>(1.0, 1.0, 1.0),
                                         std::make_shared<LagrangianLinearTIR>(C));
}

void build(SiconosChain &chain, int balls, double last_mass, double step) {
    chain.system = std::make_shared<NonSmoothDynamicalSystem>(0, 1);
    std::vector<std::shared_ptr<LagrangianLinearTIDS>> bodies;
    for (int i = 0; i < balls; i++) {
        bodies.push_back(ball(i == balls - 1 ? last_mass : 1, i == 0 ? -1 : 0));
        chain.system->insertDynamicalSystem(bodies.back());
    }
    for (int i = 0; i < balls; i++) {
        bool wall = i == balls - 1;
        chain.contacts.push_back(contact(wall));
        if (wall) {
            chain.system->link(chain.contacts[i], bodies[i]);
        } else {
            chain.system->link(chain.contacts[i], bodies[i], bodies[i + 1]);
        }
    }
    chain.simulation = std::make_shared<EventDriven>(
        chain.system, std::make_shared<TimeDiscretisation>(0.0, 0.01));
    chain.impact = std::make_shared<MultipleImpact>("BiStiffness", step);
    chain.impact->SetNstepMax(MOST_STEPS);
    chain.simulation->insertIntegrator(std::make_shared<LsodarOSI>());
    chain.simulation->insertNonSmoothProblem(chain.impact, SICONOS_OSNSP_ED_IMPACT);
    chain.simulation->insertNonSmoothProblem(std::make_shared<LCP>(), SICONOS_OSNSP_ED_SMOOTH_ACC);
    chain.simulation->initialize();
}

/* The impact starts from the velocities that are "old". */
void touch(SiconosChain &chain) {
    chain.system->updateOutput(0, 0);
    chain.system->updateOutput(0, 1);
    for (auto &each : chain.contacts) {
        each->swapInOldVariables();
    }
    chain.simulation->updateIndexSets();
}

} // namespace

SiconosChain *siconos_chain_create(int balls, double last_mass, double step) {
    try {
        auto chain = std::make_unique<SiconosChain>();
        build(*chain, balls, last_mass, step);
        touch(*chain);
        return chain.release();
    } catch (...) {
        return nullptr;
    }
}

void siconos_chain_destroy(SiconosChain *chain) {
    delete chain;
}

int siconos_chain_solve(SiconosChain *chain, double *impulse) {
    try {
        chain->impact->compute(0);
        for (size_t i = 0; i < chain->contacts.size(); i++) {
            impulse[i] = (*chain->contacts[i]->lambda(1))(0);
        }
        return 0;
    } catch (...) {
        return -1;
    }
}
